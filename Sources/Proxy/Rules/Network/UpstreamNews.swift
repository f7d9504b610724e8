import NIOCore
import NIOHTTP2
import Traffic

/// Something that an upstream tells its exchange, which may have to wait before the exchange hears of it.
enum UpstreamNews: PacedPart {
    /// An interim or the final response begins.
    case head(ResponseHead)
    /// The stream became the WebSocket that a client of HTTP/1.1 has asked for.
    case opened(ResponseHead, sent: ByteBuffer)
    case body(ByteBuffer)
    /// The response came to its end.
    case ended(ByteBuffer?)
    case malformed(MalformedMessage)
    /// What stands in the upstream's place has no more of its answer.
    case failed(ExchangeFailure)
    /// The connection ended or broke.
    case broke(Cause, message: String, isWithinHead: Bool)
    /// The stream was reset.
    case reset(HTTP2ErrorCode, isOurs: Bool, isUnprocessed: Bool)

    var content: ByteBuffer? { if case .body(let bytes) = self { bytes } else { nil } }
}
