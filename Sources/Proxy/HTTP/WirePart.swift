import NIOCore
import NIOHPACK

/// A part of a message that a codec writes for the proxy, in the form of that side's version.
enum WirePart {
    /// A whole head to send in HTTP/1, and the framing of the body that follows.
    case head(ByteBuffer, BodyFraming)
    /// A head to send in HTTP/2.
    case fields(HPACKHeaders)
    /// The next bytes of the content.
    case body(ByteBuffer)
    /// The end, with trailers where the framing can carry them.
    case end(ByteBuffer?)
}
