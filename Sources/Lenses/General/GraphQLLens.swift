import Traffic

/// A GraphQL operation over HTTP.
package struct GraphQLLens: Lens {
    package let name = "graphql"
    package let title = "GraphQL"

    package init() {}

    package func recognizes(_ exchange: ExchangeOutline, by evidence: LensEvidence) -> Bool {
        guard case .heads = evidence else { return false }
        return exchange.parts.last == "graphql" || exchange.requestType == "application/graphql"
            || exchange.responseType == "application/graphql-response+json"
    }

    package func view(_ capture: Capture) -> LensView {
        LensView(of: self, request: "\(capture.exchange.method) \(capture.path)")
    }
}
