import NIOCore

/// A part of a message, the same for HTTP/1 and HTTP/2; in order come a head, any number of body parts, and an end.
enum MessagePart {
    /// A request begins.
    case request(RequestHead)
    /// An interim or the final response begins.
    case response(ResponseHead)
    /// The next bytes of the content, without transfer framing; never empty.
    case body(ByteBuffer)
    /// The message is complete; carries the trailer section as it came, `nil` where there is none.
    case end(ByteBuffer?)
}
