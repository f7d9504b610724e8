import Traffic

/// A JSON-RPC call.
package struct JSONRPCLens: Lens {
    package let name = "json-rpc"
    package let title = "JSON-RPC"

    package init() {}

    package func recognizes(_ exchange: ExchangeOutline, by evidence: LensEvidence) -> Bool {
        guard case .body(.request, let text) = evidence else { return false }
        return text.contains("\"jsonrpc\"") && text.contains("\"method\"")
    }

    package func view(_ capture: Capture) -> LensView {
        LensView(of: self, request: "\(capture.exchange.method) \(capture.path)")
    }
}
