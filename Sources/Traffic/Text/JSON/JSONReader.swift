/// Reads JSON texts (RFC 8259), one or several after the other, as in JSON lines.
///
/// It reads the bytes where they lie, so a reader is made within `withUnsafeBufferPointer` and never leaves it.
package struct JSONReader {
    /// Values within values.
    private static let depthLimit = 200
    /// Digits that a Double holds exactly, whatever they are.
    private static let exactDigits = 15

    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0
    /// Why reading stopped although the text may be JSON.
    private var refusal: String?
    /// Values that may come yet.
    private var valuesLeft: Int
    private var names = JSONNames()
    /// Whether strings are read to be compared, and so parted where a string is slow with them (`ByteText`); names always are.
    private var isMeasured = false
    /// Members whose strings are taken as they are, though others are measured.
    private var exactNames: Set<String> = []

    private struct Malformed: Error {}

    /// Why some bytes are no JSON text, as the end of a sentence.
    package struct Problem: Error, CustomStringConvertible {
        package let description: String
    }

    /// Reads bytes that are one JSON text.
    ///
    /// - Parameters:
    ///   - bytes: the text.
    ///   - valuesLimit: the most values, nested ones included; two bytes of text may become a value of sixteen bytes and more.
    ///   - isMeasured: whether strings are read to be compared, and so parted where a string is slow with them (`ByteText`); names always are.
    ///   - exactNames: members whose strings are taken as they are all the same.
    /// - Returns: the value.
    /// - Throws: `Problem` naming the byte at which the text stops being JSON.
    package static func value(
        _ bytes: [UInt8],
        valuesLimit: Int = .max,
        isMeasured: Bool = false,
        exactNames: Set<String> = []
    ) throws(Problem) -> JSONValue {
        try read(bytes, valuesLimit: valuesLimit) { reader throws(Malformed) in
            (reader.isMeasured, reader.exactNames) = (isMeasured, exactNames)
            return try reader.value(depth: 0)
        }
    }

    /// Reads bytes that are one JSON text, and gives the elements of one list in it one by one, so that they are never all held; strings can be compared.
    ///
    /// - Parameters:
    ///   - bytes: the text.
    ///   - name: the member of the outermost object whose elements are given; it is an empty list in what is returned.
    ///   - give: takes the elements in order, also those before the place where the text turns out to be no JSON.
    /// - Returns: the text without the elements; the whole text where it is no object, or the member no list.
    /// - Throws: `Problem` naming the byte at which the text stops being JSON.
    package static func value(
        _ bytes: [UInt8],
        each name: String,
        _ give: (JSONValue) -> Void
    ) throws(Problem) -> JSONValue {
        try read(bytes) { reader throws(Malformed) in
            reader.isMeasured = true
            guard reader.peek == UInt8(ascii: "{") else { return try reader.value(depth: 0) }
            return try reader.object(depth: 0) { reader, member throws(Malformed) in
                guard member == name, reader.peek == UInt8(ascii: "[") else { return try reader.value(depth: 1) }
                try reader.elements(depth: 1, give)
                return .array([])
            }
        }
    }

    private static func read(
        _ bytes: [UInt8],
        valuesLimit: Int = .max,
        _ body: (inout JSONReader) throws(Malformed) -> JSONValue
    ) throws(Problem) -> JSONValue {
        try bytes.withUnsafeBufferPointer { buffer throws(Problem) in
            var reader = JSONReader(buffer, valuesLimit: valuesLimit)
            reader.skipBlanks()
            let value: JSONValue
            do { value = try body(&reader) } catch { throw reader.problem }
            reader.skipBlanks()
            guard reader.position == buffer.count else {
                throw Problem(description: "is no JSON at its byte \(reader.position)")
            }
            return value
        }
    }

    private var problem: Problem {
        if let refusal { return Problem(description: refusal) }
        guard position < bytes.count else { return Problem(description: "ends before it is whole") }
        let rest = bytes[position...].prefix(12).map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }
        let found = String(decoding: rest, as: UTF8.self)
        return Problem(description: "is no JSON at its byte \(position) (\(found))")
    }

    private init(_ bytes: UnsafeBufferPointer<UInt8>, valuesLimit: Int = .max) {
        self.bytes = bytes
        valuesLeft = valuesLimit
    }

    /// Reads the JSON texts in some bytes, up to the first byte that is not JSON; strings can be compared.
    package static func values(_ bytes: [UInt8]) -> [JSONValue] {
        bytes.withUnsafeBufferPointer { buffer in
            var reader = JSONReader(buffer)
            reader.isMeasured = true
            if buffer.starts(with: [0xEF, 0xBB, 0xBF]) { reader.position = 3 }
            var values: [JSONValue] = []
            while true {
                reader.skipBlanks()
                guard reader.position < buffer.count, let value = try? reader.value(depth: 0) else { return values }
                values.append(value)
            }
        }
    }

    private mutating func value(depth: Int) throws(Malformed) -> JSONValue {
        guard depth <= JSONReader.depthLimit else {
            refusal = "has values more than \(JSONReader.depthLimit) levels deep"
            throw Malformed()
        }
        guard valuesLeft > 0 else {
            refusal = "has more values than are read"
            throw Malformed()
        }
        valuesLeft -= 1
        guard let byte = peek else { throw Malformed() }
        switch byte {
        case UInt8(ascii: "{"):
            return try object(depth: depth) { reader, _ throws(Malformed) in try reader.value(depth: depth + 1) }
        case UInt8(ascii: "["):
            var elements: [JSONValue] = []
            try self.elements(depth: depth) { elements.append($0) }
            return .array(elements)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .boolean(true))
        case UInt8(ascii: "f"): return try word("false", .boolean(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func object(
        depth: Int,
        member: (inout JSONReader, String) throws(Malformed) -> JSONValue
    ) throws(Malformed) -> JSONValue {
        position += 1
        var members: [(name: String, value: JSONValue)] = []
        skipBlanks()
        if take("}") { return .object(members) }
        repeat {
            skipBlanks()
            guard peek == UInt8(ascii: "\"") else { throw Malformed() }
            let name = try name()
            skipBlanks()
            guard take(":") else { throw Malformed() }
            skipBlanks()
            let isExact = isMeasured && !exactNames.isEmpty && exactNames.contains(name)
            if isExact { isMeasured = false }
            members.append((name: name, value: try member(&self, name)))
            if isExact { isMeasured = true }
            skipBlanks()
        } while take(",")
        guard take("}") else { throw Malformed() }
        return .object(members)
    }

    private mutating func elements(depth: Int, _ give: (JSONValue) -> Void) throws(Malformed) {
        position += 1
        skipBlanks()
        if take("]") { return }
        repeat {
            skipBlanks()
            give(try value(depth: depth + 1))
            skipBlanks()
        } while take(",")
        guard take("]") else { throw Malformed() }
    }

    /// A member's name; one that has no escape and is long is shared with those of the same name.
    private mutating func name() throws(Malformed) -> String {
        let start = position + 1
        var end = start
        while end < bytes.count, bytes[end] != UInt8(ascii: "\""), bytes[end] != UInt8(ascii: "\\") { end += 1 }
        guard end < bytes.count, bytes[end] == UInt8(ascii: "\"") else {
            return ByteText.parted(try string())
        }
        position = end + 1
        return names.name(UnsafeBufferPointer(rebasing: bytes[start..<end]))
    }

    private func made(_ bytes: some Collection<UInt8>) -> String {
        isMeasured ? ByteText.repaired(bytes) : String(decoding: bytes, as: UTF8.self)
    }

    private mutating func string() throws(Malformed) -> String {
        position += 1
        // Most strings have no escape and are taken as they are.
        let start = position
        while let byte = peek, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") { position += 1 }
        if peek == UInt8(ascii: "\"") {
            defer { position += 1 }
            return made(UnsafeBufferPointer(rebasing: bytes[start..<position]))
        }
        var text = Array(bytes[start..<position])
        while let byte = peek {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return made(text)
            case UInt8(ascii: "\\"):
                guard let escape = peek else { throw Malformed() }
                position += 1
                switch escape {
                case UInt8(ascii: "n"): text.append(0x0A)
                case UInt8(ascii: "r"): text.append(0x0D)
                case UInt8(ascii: "t"): text.append(0x09)
                case UInt8(ascii: "b"): text.append(0x08)
                case UInt8(ascii: "f"): text.append(0x0C)
                case UInt8(ascii: "u"): text.append(contentsOf: Array(String(try escapedScalar()).utf8))
                default: text.append(escape)
                }
            default: text.append(byte)
            }
        }
        throw Malformed()
    }

    /// `\u` and four digits, two of them for a scalar beyond U+FFFF; half of such a pair is U+FFFD.
    private mutating func escapedScalar() throws(Malformed) -> Character {
        let first = try unit()
        if (0xD800...0xDBFF).contains(first), peek == UInt8(ascii: "\\"), position + 1 < bytes.count,
            bytes[position + 1] == UInt8(ascii: "u")
        {
            let start = position
            position += 2
            let second = try unit()
            if (0xDC00...0xDFFF).contains(second),
                let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
            {
                return Character(scalar)
            }
            position = start
        }
        return Character(Unicode.Scalar(first) ?? "\u{FFFD}")
    }

    private mutating func unit() throws(Malformed) -> UInt32 {
        guard position + 4 <= bytes.count,
            let value = UInt32(String(decoding: bytes[position..<position + 4], as: UTF8.self), radix: 16)
        else { throw Malformed() }
        position += 4
        return value
    }

    private mutating func number() throws(Malformed) -> JSONValue {
        let start = position
        let isNegative = take("-")
        // Most numbers are whole and short enough to be exact.
        var whole: Int64 = 0
        let digits = position
        while let byte = peek, (0x30...0x39).contains(byte), position - digits < JSONReader.exactDigits {
            whole = whole * 10 + Int64(byte - 0x30)
            position += 1
        }
        if position > digits, peek.map(isNumeral) != true {
            return .number(isNegative ? -Double(whole) : Double(whole))
        }
        while let byte = peek, isNumeral(byte) { position += 1 }
        guard start < position, let value = Double(String(decoding: bytes[start..<position], as: UTF8.self)) else {
            throw Malformed()
        }
        return .number(value)
    }

    private func isNumeral(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(Malformed) -> JSONValue {
        let count = word.utf8CodeUnitCount
        guard position + count <= bytes.count,
            word.withUTF8Buffer({ bytes[position..<position + count].elementsEqual($0) })
        else { throw Malformed() }
        position += count
        return value
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func skipBlanks() {
        while let byte = peek, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D || byte == 0x1E {
            position += 1
        }
    }
}
