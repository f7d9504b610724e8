import NIOCore
import Traffic

/// The members that the archives of every format have, read leniently.
enum ArchiveFields {
    /// The longest time that is believed: 11 days in microseconds, so that sums over millions of exchanges do not overflow.
    private static let greatestTime: Int64 = 1_000_000_000_000
    /// The greatest length in bytes that is believed: 1 TiB.
    private static let greatestLength: Int64 = 1 << 40
    /// The greatest number of a connection: JSON does not hold greater ones exactly (RFC 8259 §6).
    private static let greatestToken: UInt64 = 1 << 53 - 1

    /// A text; empty where there is none.
    static func text(_ value: JSONValue?) -> String { value?.string ?? "" }

    /// Milliseconds of an archive as microseconds; `nil` where they are missing, negative or longer than is believed.
    static func microseconds(_ value: JSONValue?) -> Int64? {
        guard let number = value?.number, number >= 0, number * 1000 < Double(greatestTime) else { return nil }
        return Int64((number * 1000).rounded())
    }

    /// Microseconds as our own archives have them.
    static func exactMicroseconds(_ value: JSONValue?) -> Int64? {
        value?.integer.flatMap { (0...greatestTime).contains($0) ? $0 : nil }
    }

    /// A number of bytes; `nil` where there is none.
    static func length(_ value: JSONValue?) -> Int64? { value?.integer.map { min(max(0, $0), greatestLength) } }

    /// The warnings of an archive of ours, with one on the messages that it left out.
    static func warnings(_ list: JSONValue?, leftOut: JSONValue?) -> [String] {
        let warnings = (list?.elements ?? []).compactMap(\.string)
        guard let count = length(leftOut), count > 0 else { return warnings }
        return warnings + ["Messages that an export left out: \(count)."]
    }

    /// A status code; `nil` where it is none of HTTP's (RFC 9110 §15).
    static func code(_ value: JSONValue?) -> Int? {
        value?.integer.flatMap { (1...999).contains($0) ? Int($0) : nil }
    }

    /// The number of an HTTP/2 stream.
    static func stream(_ value: JSONValue?) -> Int? {
        value?.integer.flatMap { (0...0x7FFF_FFFF).contains($0) ? Int($0) : nil }
    }

    /// A text on one line, since it becomes part of a head.
    static func line(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D || $0 == 0 }) else { return text }
        return String(decoding: text.utf8.map { $0 == 0x0A || $0 == 0x0D || $0 == 0 ? ASCII.space : $0 }, as: UTF8.self)
    }

    /// A list of objects with a name and a value.
    static func fields(_ list: JSONValue?) -> [HeaderList.Field] {
        (list?.elements ?? []).map {
            HeaderList.Field(name: line(text($0["name"])), value: line(text($0["value"])))
        }
    }

    /// Removes the pseudo-fields of HTTP/2, as in the record: `:authority` becomes `host`, the others are in the first line.
    static func hoistAuthority(_ fields: inout [HeaderList.Field]) {
        func isPseudo(_ field: HeaderList.Field) -> Bool { field.name.utf8.first == ASCII.colon }
        guard fields.contains(where: isPseudo) else { return }
        let authority = fields.first { ASCII.isSame($0.name, ":authority") }?.value
        fields.removeAll(where: isPseudo)
        if let authority, !fields.contains(where: { ASCII.isSame($0.name, "host") }) {
            fields.insert(HeaderList.Field(name: "host", value: authority), at: 0)
        }
    }

    /// Bytes that `JSONWriter.bytes` or `exact` wrote; `nil` where there are none.
    static func bytes(_ name: String, of object: JSONValue) -> ByteBuffer? {
        if let exact = object[name + "Base64"]?.string.flatMap(Base64Decoder.bytes) { return ByteBuffer(bytes: exact) }
        return object[name]?.string.map { ByteBuffer(string: $0) }
    }

    /// A head: the exact one, the fields under the exact first line, or the likeliest.
    static func head(_ exact: JSONValue?, _ fields: [HeaderList.Field], _ likeliest: ByteBuffer) -> ByteBuffer {
        guard let exact else { return likeliest }
        if let head = bytes("head", of: exact) { return head }
        if let line = exact["line"]?.string { return SynthesizedHead.head(line, fields) }
        return likeliest
    }

    /// Adds the parts that only some messages have.
    static func complete(_ message: inout Message, _ exact: JSONValue?, trailers: JSONValue?) {
        message.sentHead = exact.flatMap { bytes("sentHead", of: $0) }
        guard trailers?.elements != nil else { return }
        message.trailers = exact.flatMap { bytes("trailers", of: $0) } ?? SynthesizedHead.lines(fields(trailers))
    }

    /// The measure of a body, in an archive of ours.
    static func measure(_ exact: JSONValue?) -> ArchivedContent.Measure? {
        guard let exact, let size = length(exact["size"]), let kept = length(exact["kept"]) else {
            return nil
        }
        let digest = exact["sha256"]?.string.flatMap(Hexadecimal.bytes) ?? []
        return ArchivedContent.Measure(size: size, kept: kept, sha256: digest.count == 32 ? digest : [])
    }

    /// A failure as exports write it.
    static func failure(_ value: JSONValue, message: String) -> ExchangeFailure? {
        guard let side = value["side"]?.string.flatMap(ExchangeFailure.Side.init),
            let phase = value["phase"]?.string.flatMap(ExchangeFailure.Phase.init)
        else { return nil }
        return ExchangeFailure(
            side: side,
            phase: phase,
            cause: Cause(rawValue: text(value["cause"])),
            message: message,
            retry: value["retry"]?.boolean ?? false
        )
    }

    /// The number of a connection; a name, or a number that is too great, is hashed, so that equal ones give the same number.
    static func token(_ value: JSONValue?) -> UInt64 {
        let text = value?.integer.map { String($0) } ?? value?.number.map { String($0) } ?? text(value)
        if let number = UInt64(text), number <= greatestToken { return number }
        // FNV-1a, with its upper bits folded into the lower ones.
        let hash = text.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
        return (hash >> 53 ^ hash) & greatestToken
    }

    /// The scheme of a WebSocket that an archive lists under HTTP's.
    static func streaming(_ scheme: Scheme?) -> Scheme? {
        switch scheme {
        case .http: .ws
        case .https: .wss
        default: scheme
        }
    }
}
