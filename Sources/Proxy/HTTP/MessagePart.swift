import NIOCore

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

/// What the codec writes on behalf of the proxy: a part of a message with the bytes that its head shall have.
enum WirePart {
    /// The head to send, whole, and how the body that follows is framed.
    case head(ByteBuffer, BodyFraming)
    /// The next bytes of the content.
    case body(ByteBuffer)
    /// The end, with trailers where the framing can carry them.
    case end(ByteBuffer?)
}

/// How the end of a body is told (RFC 9112 §6.3).
enum BodyFraming: Equatable {
    /// There is none.
    case none
    /// So many bytes, at least 1.
    case length(Int64)
    /// Chunked transfer coding.
    case chunked
    /// Until the connection closes; responses only.
    case untilClose
}
