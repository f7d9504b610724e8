import NIOCore
import NIOHPACK

/// What a message is made of, in order: a head, any number of body parts, an end.
///
/// The same above HTTP/1 and HTTP/2.
enum MessagePart {
    /// A request begins.
    case request(RequestHead)
    /// An interim or the final response begins.
    case response(ResponseHead)
    /// The next bytes of the content, without transfer framing; never empty.
    case body(ByteBuffer)
    /// The message is complete; the trailer section as it came, `nil` where there is none.
    case end(ByteBuffer?)
}

/// What the codec writes on behalf of the proxy: a part of a message as the version of that side has it.
enum WirePart {
    /// The head to send in HTTP/1, whole, and how the body that follows is framed.
    case head(ByteBuffer, BodyFraming)
    /// The head to send in HTTP/2.
    case fields(HPACKHeaders)
    /// The next bytes of the content.
    case body(ByteBuffer)
    /// The end, with trailers where the framing can carry them.
    case end(ByteBuffer?)
}

/// How the end of a body is told (RFC 9112 §6.3, RFC 9113 §8.1).
enum BodyFraming: Equatable {
    /// There is none.
    case none
    /// So many bytes, at least 1.
    case length(Int64)
    /// By the message's own framing: chunked transfer coding in HTTP/1, the stream's end in HTTP/2.
    case chunked
    /// Until the connection closes; responses of HTTP/1 only.
    case untilClose
}
