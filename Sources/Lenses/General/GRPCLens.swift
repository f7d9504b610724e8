import Traffic

/// A gRPC call: messages with a length before each, the status in trailers.
package struct GRPCLens: Lens {
    package let name = "grpc"
    package let title = "gRPC"

    package init() {}

    package func recognizes(_ exchange: ExchangeOutline, by evidence: LensEvidence) -> Bool {
        guard case .heads = evidence else { return false }
        return exchange.requestType?.hasPrefix("application/grpc") == true
    }

    package func view(_ capture: Capture) -> LensView {
        LensView(of: self, request: "\(capture.exchange.method) \(capture.path)")
    }
}
