import NIOCore
import NIOHPACK

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
