/// Reads JSON texts (RFC 8259), one or several after the other, as in JSON lines.
package struct JSONReader {
    /// Values within values.
    private static let depthLimit = 200

    private let bytes: [UInt8]
    private var position = 0

    private struct Malformed: Error {}

    /// Why some bytes are no JSON text, as the end of a sentence.
    package struct Problem: Error, CustomStringConvertible {
        package let description: String
    }

    /// The one text that some bytes are.
    ///
    /// - Throws: `Problem` naming the byte at which they end to be JSON.
    package static func value(_ bytes: [UInt8]) throws(Problem) -> JSONValue {
        var reader = JSONReader(bytes)
        reader.skipBlanks()
        guard let value = try? reader.value(depth: 0) else {
            guard reader.position < bytes.count else { throw Problem(description: "ends before it is whole") }
            if reader.isTooDeep { throw Problem(description: "has values more than \(depthLimit) levels deep") }
            let rest = bytes[reader.position...].prefix(12).map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }
            let found = String(decoding: rest, as: UTF8.self)
            throw Problem(description: "is no JSON at its byte \(reader.position) (\(found))")
        }
        reader.skipBlanks()
        guard reader.position == bytes.count else {
            throw Problem(description: "is no JSON at its byte \(reader.position)")
        }
        return value
    }

    private var isTooDeep = false

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The texts in some bytes; where they end to be JSON, those before.
    package static func values(_ bytes: [UInt8]) -> [JSONValue] {
        var reader = JSONReader(bytes)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.position = 3 }
        var values: [JSONValue] = []
        while true {
            reader.skipBlanks()
            guard reader.position < bytes.count, let value = try? reader.value(depth: 0) else { return values }
            values.append(value)
        }
    }

    private mutating func value(depth: Int) throws -> JSONValue {
        guard depth <= JSONReader.depthLimit else {
            isTooDeep = true
            throw Malformed()
        }
        guard let byte = peek else { throw Malformed() }
        switch byte {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .boolean(true))
        case UInt8(ascii: "f"): return try word("false", .boolean(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func object(depth: Int) throws -> JSONValue {
        position += 1
        var members: [(name: String, value: JSONValue)] = []
        skipBlanks()
        if take("}") { return .object(members) }
        repeat {
            skipBlanks()
            guard peek == UInt8(ascii: "\"") else { throw Malformed() }
            let name = try string()
            skipBlanks()
            guard take(":") else { throw Malformed() }
            skipBlanks()
            members.append((name: name, value: try value(depth: depth + 1)))
            skipBlanks()
        } while take(",")
        guard take("}") else { throw Malformed() }
        return .object(members)
    }

    private mutating func array(depth: Int) throws -> JSONValue {
        position += 1
        var elements: [JSONValue] = []
        skipBlanks()
        if take("]") { return .array(elements) }
        repeat {
            skipBlanks()
            elements.append(try value(depth: depth + 1))
            skipBlanks()
        } while take(",")
        guard take("]") else { throw Malformed() }
        return .array(elements)
    }

    private mutating func string() throws -> String {
        position += 1
        // Most strings have no escape and are taken as they are.
        let start = position
        while let byte = peek, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") { position += 1 }
        if peek == UInt8(ascii: "\"") {
            defer { position += 1 }
            return String(decoding: bytes[start..<position], as: UTF8.self)
        }
        var text = Array(bytes[start..<position])
        while let byte = peek {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
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
    private mutating func escapedScalar() throws -> Character {
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

    private mutating func unit() throws -> UInt32 {
        guard position + 4 <= bytes.count,
            let value = UInt32(String(decoding: bytes[position..<position + 4], as: UTF8.self), radix: 16)
        else { throw Malformed() }
        position += 4
        return value
    }

    private mutating func number() throws -> JSONValue {
        let start = position
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

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws -> JSONValue {
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
