import Traffic

/// A form as browsers send it.
package struct FormLens: Lens {
    package let name = "form"
    package let title = "Form"

    package init() {}

    package func recognizes(_ exchange: ExchangeOutline, by evidence: LensEvidence) -> Bool {
        guard case .remainder = evidence else { return false }
        return exchange.requestType == "application/x-www-form-urlencoded"
            || exchange.requestType == "multipart/form-data"
    }

    package func view(_ capture: Capture) -> LensView {
        LensView(of: self, request: "\(capture.exchange.method) \(capture.path)")
    }
}
