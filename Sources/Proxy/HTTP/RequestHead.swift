import NIOCore
import Traffic

/// A request head as it came: the bytes, and where in them the parts are.
///
/// A class so that it travels the pipeline and into the record as one reference.
final class RequestHead: Sendable {
    /// Every byte of the head, from the method to the empty line.
    let raw: ByteBuffer
    /// Case kept.
    let method: String
    /// The request target as it came, whatever its form.
    let target: Range<Int>
    /// HTTP/1.0 or HTTP/1.1 in this codec.
    let version: HTTPVersion
    /// The field lines, as ranges of `raw`.
    let fields: HeaderList
    /// How the body's end is told.
    let framing: BodyFraming

    init(
        raw: ByteBuffer,
        method: String,
        target: Range<Int>,
        version: HTTPVersion,
        fields: HeaderList,
        framing: BodyFraming
    ) {
        self.framing = framing
        self.raw = raw
        self.method = method
        self.target = target
        self.version = version
        self.fields = fields
    }

    /// The request target as text.
    var targetText: String { fields.text(target) }
}
