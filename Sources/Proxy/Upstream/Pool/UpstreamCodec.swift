/// The codec of an upstream's connection or stream, as `UpstreamHandler` uses it.
protocol UpstreamCodec: AnyObject {
    /// Prepares for the response to a request.
    func expectResponse(to request: RequestHead)
    /// Whether a part of a response's head has come, and not the whole of it.
    var isWithinHead: Bool { get }
}

extension HTTP1Codec: UpstreamCodec {
    func expectResponse(to request: RequestHead) {
        expectResponse(to: request.method, maySwitch: request.asksForWebSocket)
    }
}

extension HTTP2StreamCodec: UpstreamCodec {}
