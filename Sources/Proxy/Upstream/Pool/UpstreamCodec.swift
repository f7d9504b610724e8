/// What stands between an exchange and its upstream, as the upstream's half uses it.
protocol UpstreamCodec: AnyObject {
    /// Makes ready for the response to a request of this method; `maySwitch` when it may be a 101 that turns the rest into content.
    func expectResponse(to method: String, maySwitch: Bool)
}

extension HTTP1Codec: UpstreamCodec {}

extension HTTP2StreamCodec: UpstreamCodec {}
