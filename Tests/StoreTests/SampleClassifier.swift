import Traffic

/// Names clients and lenses by when an exchange began, so that every store of a test has some of each.
struct SampleClassifier: ExchangeClassifier {
    static let clients = ["What's Open iOS", "What's Open", nil, "Bruin Life", "safari", "Fox, \"red\""]
    static let lenses = ["whatsopen", "json", nil, "cloudkit", "cloudkit-native"]

    func classify(_ exchange: Exchange, bodyStart: (MessageSide) -> [UInt8]) -> ExchangeClass {
        let number = Int(exchange.timeline.started.magnitude)
        return ExchangeClass(
            client: SampleClassifier.clients[number % SampleClassifier.clients.count],
            lens: SampleClassifier.lenses[number / 7 % SampleClassifier.lenses.count]
        )
    }
}
