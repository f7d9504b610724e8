/// A scanner of JSON texts (RFC 8259) whose time and memory grow with the text's length.
///
/// Foundation's decoder takes time with the square of the depth for each value that it looks at: 2 KB kept it for many seconds. And it has no order of
/// members, tells no 1 from 1.0, and does not say what is wrong as the server does that is stood in for.
struct JSONScanner {
    /// The most levels of arrays and objects; what clients of these servers send has a handful.
    private static let depthLimit = 200

    private let bytes: [UInt8]
    private var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads the whole text as one value.
    mutating func read() throws(JSON.ReadingError) -> JSON {
        let value = try value(depth: 0)
        guard next == nil else { throw problem("Extra data") }
        return value
    }

    private mutating func value(depth: Int) throws(JSON.ReadingError) -> JSON {
        guard depth < Self.depthLimit else { throw problem("Too many levels") }
        defer { skipBlanks() }
        skipBlanks()
        guard let byte = next else { throw problem("Expecting value") }
        switch byte {
        case UInt8(ascii: "{"): return .object(try members(depth))
        case UInt8(ascii: "["): return .array(try elements(depth))
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        default:
            for (word, value) in [("null", JSON.null), ("true", .bool(true)), ("false", .bool(false))]
            where bytes[place...].starts(with: word.utf8) {
                place += word.utf8.count
                return value
            }
            throw problem("Expecting value")
        }
    }

    private mutating func elements(_ depth: Int) throws(JSON.ReadingError) -> [JSON] {
        place += 1
        skipBlanks()
        if take("]") { return [] }
        var elements: [JSON] = []
        repeat { elements.append(try value(depth: depth + 1)) } while take(",")
        guard take("]") else { throw problem("Expecting ',' delimiter") }
        return elements
    }

    /// In their order; of several of a name the last one counts.
    private mutating func members(_ depth: Int) throws(JSON.ReadingError) -> [JSON.Member] {
        place += 1
        skipBlanks()
        if take("}") { return [] }
        var members: [JSON.Member] = []
        var places: [String: Int] = [:]
        repeat {
            skipBlanks()
            guard next == UInt8(ascii: "\"") else {
                throw problem("Expecting property name enclosed in double quotes")
            }
            let name = try string()
            skipBlanks()
            guard take(":") else { throw problem("Expecting ':' delimiter") }
            let member = JSON.Member(name: name, value: try value(depth: depth + 1))
            if let place = places[name] {
                members[place] = member
            } else {
                places[name] = members.count
                members.append(member)
            }
        } while take(",")
        guard take("}") else { throw problem("Expecting ',' delimiter") }
        return members
    }

    private mutating func string() throws(JSON.ReadingError) -> String {
        place += 1
        var text: [UInt8] = []
        while let byte = next {
            place += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let text = String(validating: text, as: UTF8.self) else { throw problem("Invalid UTF-8") }
                return text
            case UInt8(ascii: "\\"): text += try escaped()
            case 0..<0x20: throw problem("Invalid control character")
            default: text.append(byte)
            }
        }
        throw problem("Unterminated string")
    }

    /// What stands behind a backslash, as UTF-8; half a surrogate pair is the character that replaces what cannot be read.
    private mutating func escaped() throws(JSON.ReadingError) -> [UInt8] {
        guard let byte = next else { throw problem("Unterminated string") }
        place += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
        case UInt8(ascii: "b"): return [8]
        case UInt8(ascii: "f"): return [12]
        case UInt8(ascii: "n"): return [10]
        case UInt8(ascii: "r"): return [13]
        case UInt8(ascii: "t"): return [9]
        case UInt8(ascii: "u"):
            var units = [try unit()]
            if UTF16.isLeadSurrogate(units[0]), bytes[place...].starts(with: "\\u".utf8) {
                place += 2
                units.append(try unit())
            }
            return Array(String(decoding: units, as: UTF16.self).utf8)
        default: throw problem("Invalid \\escape")
        }
    }

    private mutating func unit() throws(JSON.ReadingError) -> UInt16 {
        let digits = bytes[place...].prefix(4)
        let isWhole = digits.count == 4 && digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
        guard isWhole, let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16) else {
            throw problem("Invalid \\u escape")
        }
        place += 4
        return unit
    }

    private mutating func number() throws(JSON.ReadingError) -> JSON {
        let start = place
        _ = take("-")
        // What follows a zero is no part of the number.
        guard take("0") || takeDigits() else { throw problem("Expecting value") }
        var isWhole = true
        if take(".") {
            isWhole = false
            guard takeDigits() else { throw problem("Expecting digits") }
        }
        if take("e") || take("E") {
            isWhole = false
            if !take("-") { _ = take("+") }
            guard takeDigits() else { throw problem("Expecting digits") }
        }
        let text = String(decoding: bytes[start..<place], as: UTF8.self)
        if isWhole, let number = Int(text) { return .int(number) }
        guard let number = Double(text), number.isFinite else { throw problem("Number out of range") }
        return .double(number)
    }

    private mutating func takeDigits() -> Bool {
        let start = place
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { place += 1 }
        return place > start
    }

    private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        place += 1
        return true
    }

    private mutating func skipBlanks() {
        while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { place += 1 }
    }

    /// As Python tells it, which What's Open runs on.
    private func problem(_ what: String) -> JSON.ReadingError {
        let read = bytes[..<min(place, bytes.count)]
        let line = read.count { $0 == 0x0A } + 1
        let column = read.count - (read.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0) + 1
        return JSON.ReadingError(reason: "\(what): line \(line) column \(column) (char \(read.count))")
    }
}
