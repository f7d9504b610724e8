import Traffic

/// Any other API that speaks JSON.
package struct JSONLens: Lens {
    package let name = "json"
    package let title = "JSON API"

    package init() {}

    package func recognizes(_ exchange: ExchangeOutline, by evidence: LensEvidence) -> Bool {
        guard case .remainder = evidence else { return false }
        return exchange.responseType.map { $0.hasSuffix("json") } == true
            || exchange.requestType.map { $0.hasSuffix("json") } == true
    }

    package func view(_ capture: Capture) -> LensView {
        LensView(of: self, request: "\(capture.exchange.method) \(capture.path)")
    }
}
