import Traffic

/// The meeting server of Virtual Meeting Finder.
package struct VirtualMeetingsLens: Lens {
    package let name = "meetings"
    package let title = "Virtual Meeting Finder"

    package init() {}

    package func recognizes(_ exchange: ExchangeOutline, by evidence: LensEvidence) -> Bool {
        switch evidence {
        case .host:
            return ["meetings.recovrr.org", "vmf.littlegreenviper.com", "littlegreenviper.com"].contains(exchange.host)
        case .heads:
            guard exchange.path.hasSuffix(".php"), let query = exchange.query else { return false }
            return ["query", "info", "update"].contains(query.prefix { $0 != "&" })
        case .body(let side, let text):
            guard side == .response, text.first(where: { !$0.isWhitespace }) == "{" else { return false }
            return text.contains("\"meta\"") && text.contains("\"meetings\"")
                || text.contains("\"server_version\"") && text.contains("\"services\"")
        case .remainder: return false
        }
    }

    package func client(of exchange: ExchangeOutline) -> String? { "Virtual Meeting Finder" }

    package func view(_ capture: Capture) -> LensView {
        LensView(of: self, request: "\(capture.exchange.method) \(capture.path)")
    }
}
