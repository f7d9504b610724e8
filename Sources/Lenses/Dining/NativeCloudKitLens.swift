package import Traffic

/// The lens of CloudKit as Apple's own daemon speaks it, and of Apple's other pinned services: only tunnels and refusals are seen of them.
package struct NativeCloudKitLens: Lens {
    package let name = "cloudkit-native"
    package let title = "Apple, pinned (native CloudKit)"

    package init() {}

    package var grounds: LensGrounds { .host }

    package func recognizes(_ exchange: ExchangeOutline, by evidence: LensEvidence) -> Bool {
        guard case .host = evidence, let service = PinnedService(host: exchange.host) else { return false }
        return service == .cloudKit || Self.isUnread(exchange.exchange)
    }

    package func client(of exchange: ExchangeOutline) -> String? {
        PinnedService(host: exchange.host) == .cloudKit ? "CloudKit daemon" : nil
    }

    package func view(_ capture: Capture) -> LensView {
        let exchange = capture.exchange
        let service = PinnedService(host: exchange.host) ?? .cloudKit
        let words = PinnedConnection(exchange)
        var fields = [
            LensField("Service", service.title), LensField("Spoken by", service.speaker),
            LensField("Pinned", "It accepts Apple's own certificates only, so no proxy can read it"),
        ]
        if let apps = service.apps { fields.append(LensField("For", apps)) }
        fields += words.fields
        return LensView(
            of: self,
            request: "A connection of \(service.speaker) to \(exchange.host)",
            response: words.sentence,
            sections: [
                LensSection("What it is", .fields(fields)), LensSection("What to do", words.advice),
            ]
        )
    }

    /// Whether nothing inside the connection was read: it was a tunnel, or the client broke off our TLS handshake.
    static func isUnread(_ exchange: Exchange) -> Bool {
        exchange.outcome == .tunnelled || exchange.method == "CONNECT"
            || exchange.failure.map { $0.side == .client && $0.phase == .tls } == true
    }
}
