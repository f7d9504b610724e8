import Traffic

/// CloudKit web services, and the dining menus that Bruin Life keeps in them.
package struct DiningMenuLens: Lens {
    package let name = "cloudkit"
    package let title = "CloudKit (Bruin Life)"

    package init() {}

    package func recognizes(_ exchange: ExchangeOutline, by evidence: LensEvidence) -> Bool {
        switch evidence {
        case .host: return exchange.host == "api.apple-cloudkit.com"
        case .heads:
            let parts = exchange.parts
            return parts.count >= 7 && parts[0] == "database" && parts[1] == "1" && parts[5] == "records"
        case .body(let side, let text):
            return side == .response && text.contains("\"records\"") && text.contains("\"recordName\"")
                && text.contains("\"recordType\"")
        case .remainder: return false
        }
    }

    package func client(of exchange: ExchangeOutline) -> String? {
        exchange.parts.contains("iCloud.BruinLife.MatthewDeCoste") ? "Bruin Life" : nil
    }

    package func view(_ capture: Capture) -> LensView {
        LensView(of: self, request: "\(capture.exchange.method) \(capture.path)")
    }
}
