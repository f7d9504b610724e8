import NIOCore
import NIOHTTP2

/// What stands between a client and its exchange: the codec of a whole HTTP/1 connection, or of one stream of an HTTP/2 connection.
protocol ClientCodec: RemovableChannelHandler {
    /// Bytes that have come and wait for their turn.
    var bufferedBytes: Int { get }
    /// Lets the next request begin.
    func resume()
    /// Stops reading and gives up what has come but was not read.
    func takeOver() -> ByteBuffer
    /// Reads everything from here on as content, until the client ends: the request's protocol was switched, or nothing is read as requests any more.
    func becomeRaw()
    /// What only a stream can do; `nil` on a connection of its own.
    var stream: HTTP2StreamCodec? { get }
}

extension HTTP1Codec: ClientCodec {
    var stream: HTTP2StreamCodec? { nil }
}

/// What stands between an exchange and its upstream.
protocol UpstreamCodec: AnyObject {
    /// Makes ready for the response to a request of this method; `maySwitch` when it may be a 101 that turns the rest into content.
    func expectResponse(to method: String, maySwitch: Bool)
    /// What only a stream can do; `nil` on a connection of its own.
    var stream: HTTP2StreamCodec? { get }
}

extension HTTP1Codec: UpstreamCodec {}
