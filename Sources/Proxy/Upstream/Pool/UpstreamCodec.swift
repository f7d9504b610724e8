/// What stands between an exchange and its upstream, as the upstream's half uses it.
protocol UpstreamCodec: AnyObject {
    /// Makes ready for the response to a request.
    func expectResponse(to request: RequestHead)
}

extension HTTP1Codec: UpstreamCodec {
    func expectResponse(to request: RequestHead) {
        expectResponse(to: request.method, maySwitch: request.asksForWebSocket)
    }
}

extension HTTP2StreamCodec: UpstreamCodec {}
