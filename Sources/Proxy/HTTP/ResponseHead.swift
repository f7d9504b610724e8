import NIOCore
import NIOHPACK
import Traffic

/// A response head as it came: its bytes, and the places of the parts in them.
final class ResponseHead: Sendable {
    /// Every byte of the head, from the version to the empty line.
    let raw: ByteBuffer
    /// The status code, 100 to 999.
    let code: Int
    let version: HTTPVersion
    /// The field lines, as ranges of `raw`.
    let fields: HeaderList
    /// How the end of the body is told.
    let framing: BodyFraming
    /// The field section as it came in HTTP/2; `nil` in HTTP/1, where `raw` has the bytes that came.
    let received: HPACKHeaders?

    init(
        raw: ByteBuffer,
        code: Int,
        version: HTTPVersion,
        fields: HeaderList,
        framing: BodyFraming,
        received: HPACKHeaders? = nil
    ) {
        self.received = received
        self.framing = framing
        self.raw = raw
        self.code = code
        self.version = version
        self.fields = fields
    }

    /// Whether a final response follows (RFC 9110 §15.2); 101 counts as final.
    var isInterim: Bool { code < 200 && code != 101 }
}
