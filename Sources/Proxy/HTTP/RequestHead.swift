import NIOCore
import NIOHPACK
import Traffic

/// A request head as it came: its bytes, and the places of the parts in them.
///
/// It is a class, so that the pipeline and the record pass on one reference.
final class RequestHead: Sendable {
    /// Every byte of the head, from the method to the empty line.
    let raw: ByteBuffer
    /// The method, case kept.
    let method: String
    /// The request target as it came, whatever its form.
    let target: Range<Int>
    let version: HTTPVersion
    /// The field lines, as ranges of `raw`.
    let fields: HeaderList
    /// How the end of the body is told.
    let framing: BodyFraming
    /// The field section as it came in HTTP/2; `nil` in HTTP/1, where `raw` has the bytes that came.
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

    /// The head of bytes that are no request, as far as they are kept.
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

    /// The request target as text, to be read and compared.
    var targetText: String { fields.text(target) }
    /// The request target as text that is passed on.
    var passedTarget: String { fields.passedText(target) }

    /// Whether the target is in origin-form or asterisk-form, which clients send to a server and not to a proxy (RFC 9112 §3.2).
    var isForOrigin: Bool {
        switch raw.getInteger(at: target.lowerBound, as: UInt8.self) {
        case UInt8(ascii: "/"): true
        case UInt8(ascii: "*"): target.count == 1
        default: false
        }
    }
}
