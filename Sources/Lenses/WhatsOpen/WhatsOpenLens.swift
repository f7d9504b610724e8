import Traffic

/// What's Open: the opening hours of a campus's facilities.
package struct WhatsOpenLens: Lens {
    package let name = "whatsopen"
    package let title = "What's Open"

    package init() {}

    package func recognizes(_ exchange: ExchangeOutline, by evidence: LensEvidence) -> Bool {
        switch evidence {
        case .host: return exchange.host == "api.srct.gmu.edu"
        case .heads: return resource(of: exchange) != nil
        case .body(let side, let text):
            guard side == .response, text.first(where: { !$0.isWhitespace }) == "[" else { return false }
            return text.contains("\"facility_name\"") && text.contains("\"main_schedule\"")
                || ["\"urgency_tag\"", "\"campus_region\"", "\"open_times\""].contains { text.contains($0) }
        case .remainder: return false
        }
    }

    package func client(of exchange: ExchangeOutline) -> String? {
        let agent = exchange.userAgent ?? ""
        return if agent.hasPrefix("WhatsOpen/") {
            "What's Open iOS"
        } else if agent.hasPrefix("okhttp/") {
            "What's Open Android"
        } else if agent.hasPrefix("Mozilla/") {
            "What's Open Web"
        } else {
            "What's Open"
        }
    }

    package func view(_ capture: Capture) -> LensView {
        LensView(of: self, request: "\(capture.exchange.method) \(capture.path)")
    }

    private static let resources: Set<Substring> = ["facilities", "alerts", "locations", "categories", "schedules"]

    /// Which of the API's resources a path names, whatever host serves it.
    private func resource(of exchange: ExchangeOutline) -> Substring? {
        let parts = exchange.parts
        let rest: ArraySlice<Substring>
        if parts.count >= 3, parts[0] == "whatsopen", parts[1].first == "v", Int(parts[1].dropFirst()) != nil {
            rest = parts[2...]
        } else if parts.count >= 2, parts[0] == "api" {
            rest = parts[1...]
        } else {
            return nil
        }
        guard rest.count <= 2, let resource = rest.first, Self.resources.contains(resource) else { return nil }
        return resource
    }
}
