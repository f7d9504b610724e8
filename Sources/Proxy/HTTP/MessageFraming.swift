import NIOCore
import Traffic

/// Decides from a message's head how its body ends (RFC 9112 §6); a head that allows two answers is refused.
enum MessageFraming {
    /// The framing of a request's body.
    static func request(_ fields: HeaderList, version: HTTPVersion) throws(MessageProblem) -> BodyFraming {
        try declared(fields, version: version) ?? .none
    }

    /// The framing of a response's body.
    ///
    /// - Parameters:
    ///   - fields: of the response's head.
    ///   - code: its status code.
    ///   - version: its version.
    ///   - method: of the request it answers; HEAD has no body whatever the fields say.
    /// - Returns: the only framing that the head allows.
    /// - Throws: `MessageProblem` where it allows two, or none that can be read.
    static func response(
        _ fields: HeaderList,
        code: Int,
        version: HTTPVersion,
        to method: String
    ) throws(MessageProblem) -> BodyFraming {
        let declared = try declared(fields, version: version)
        if code < 200 || code == 204 || code == 304 || method == "HEAD" { return .none }
        return declared ?? .untilClose
    }

    /// The framing that the fields say; `nil` where they say none.
    private static func declared(_ fields: HeaderList, version: HTTPVersion) throws(MessageProblem) -> BodyFraming? {
        var length: Int64?
        var codingCount = 0
        var isChunked = false
        var lengthCount = 0
        // All that matter are 14 or 17 bytes long.
        for position in fields.indices where isAsLong(fields.spans[position].name.count) {
            if fields.isNamed("content-length", at: position) {
                lengthCount += 1
                length = try Self.length(fields, fields.spans[position].value)
            } else if fields.isNamed("transfer-encoding", at: position) {
                codingCount += 1
                isChunked = fields.isValue("chunked", at: position)
            } else if fields.isNamed("transfer_encoding", at: position)
                || fields.isNamed("content_length", at: position)
            {
                throw MessageProblem(
                    "A field name differs from a framing field only by an underscore.",
                    cause: .ambiguousFraming
                )
            }
        }
        guard lengthCount <= 1 else {
            throw MessageProblem("Content-Length is given more than once.", cause: .ambiguousFraming)
        }
        guard codingCount > 0 else { return length.map { $0 == 0 ? .none : .length($0) } }
        guard lengthCount == 0 else {
            throw MessageProblem("Both Content-Length and Transfer-Encoding are given.", cause: .ambiguousFraming)
        }
        guard version != .http10 else {
            throw MessageProblem("An HTTP/1.0 message has Transfer-Encoding.", cause: .ambiguousFraming)
        }
        guard codingCount == 1, isChunked else {
            throw MessageProblem(
                "Transfer-Encoding is something other than chunked.",
                code: 501,
                cause: .ambiguousFraming
            )
        }
        return .chunked
    }

    private static func isAsLong(_ count: Int) -> Bool { count == 14 || count == 17 }

    private static func length(_ fields: HeaderList, _ range: Range<Int>) throws(MessageProblem) -> Int64 {
        var value: Int64 = 0
        guard range.count >= 1, range.count <= 18 else {
            throw MessageProblem("Content-Length is not a number of bytes.", cause: .ambiguousFraming)
        }
        for byte in fields.bytes.viewBytes(at: range.lowerBound, length: range.count) ?? ByteBufferView(ByteBuffer()) {
            guard byte >= 0x30, byte <= 0x39 else {
                throw MessageProblem("Content-Length is not a number of bytes.", cause: .ambiguousFraming)
            }
            value = value * 10 + Int64(byte - 0x30)
        }
        return value
    }
}
