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
