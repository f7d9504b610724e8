import Traffic

/// Toronto's public notices.
package struct NoticesLens: Lens {
    package let name = "notices"
    package let title = "Toronto notices"

    package init() {}

    package func recognizes(_ exchange: ExchangeOutline, by evidence: LensEvidence) -> Bool {
        switch evidence {
        case .host: return exchange.host == "app.toronto.ca"
        case .heads:
            return exchange.path == "/nm/notices.json" || exchange.path.hasPrefix("/nm/api/individual/notice/")
        case .body(let side, let text):
            return side == .response && text.contains("\"Records\"") && text.contains("\"noticeId\"")
        case .remainder: return false
        }
    }

    package func client(of exchange: ExchangeOutline) -> String? { "Toronto Open Data" }

    package func view(_ capture: Capture) -> LensView {
        LensView(of: self, request: "\(capture.exchange.method) \(capture.path)")
    }
}
