import NIOCore

/// An upstream connection on its way through a future of its own loop.
typealias OpenUpstream = NIOLoopBound<UpstreamHandler>

/// A connection to an upstream in the version that was agreed on, on its way through a future of its own loop.
enum OpenConnection: Sendable {
    /// A connection of HTTP/1.1, for one exchange at a time.
    case http1(OpenUpstream)
    /// A connection of HTTP/2, with a stream for each exchange.
    case http2(NIOLoopBound<HTTP2Upstream>)
}
