import NIOCore
import NIOHPACK
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
    let version: HTTPVersion
    /// The field lines, as ranges of `raw`.
    let fields: HeaderList
    /// How the body's end is told.
    let framing: BodyFraming
    /// The field section as it came in HTTP/2; `nil` in HTTP/1, where `raw` is what came.
    let received: HPACKHeaders?
    /// The scheme as an HTTP/2 request names it.
    let scheme: String?
    /// The protocol that an extended CONNECT asks for (RFC 8441 §4).
    let extendedProtocol: String?

    init(
        raw: ByteBuffer,
        method: String,
        target: Range<Int>,
        version: HTTPVersion,
        fields: HeaderList,
        framing: BodyFraming,
        received: HPACKHeaders? = nil,
        scheme: String? = nil,
        extendedProtocol: String? = nil
    ) {
        self.received = received
        self.scheme = scheme
        self.extendedProtocol = extendedProtocol
        self.framing = framing
        self.raw = raw
        self.method = method
        self.target = target
        self.version = version
        self.fields = fields
    }

    /// What is no request, as far as it is kept.
    convenience init(unread kept: ByteBuffer, version: HTTPVersion) {
        self.init(
            raw: kept,
            method: "",
            target: 0..<0,
            version: version,
            fields: HeaderList(bytes: ByteBuffer(), spans: []),
            framing: .none
        )
    }

    /// The request target as text.
    var targetText: String { fields.text(target) }

    /// Whether the target is in origin-form or asterisk-form: what a client sends to a server, not to a proxy (RFC 9112 §3.2).
    var isForOrigin: Bool {
        switch raw.getInteger(at: target.lowerBound, as: UInt8.self) {
        case UInt8(ascii: "/"): true
        case UInt8(ascii: "*"): target.count == 1
        default: false
        }
    }
}
