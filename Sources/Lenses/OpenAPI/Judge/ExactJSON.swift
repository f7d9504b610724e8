package import Traffic

/// A reader of JSON texts for checks: keeps to the letter of RFC 8259, and keeps all digits of long numbers.
///
/// `JSONReader`, which everything else uses, is lenient and makes Doubles of numbers. A number that a Double may not hold is handed to it in the form of
/// `ExactNumbers`, which `JSONValue.numeral` recognises.
package struct ExactJSON {
    /// A reason why a text is not read.
    package enum Problem: Error, Equatable, CustomStringConvertible {
        /// The text is no JSON; the reason ends a sentence begun with "the body".
        case malformed(String)
        /// The text is JSON as far as it was read, and more than is read; the reason ends such a sentence.
        case unread(String)

        package var description: String {
            switch self {
            case .malformed(let sentence), .unread(let sentence): sentence
            }
        }
    }

    private let bytes: [UInt8]
    private var position = 0
    private var out: [UInt8] = []
    /// How much of the text is copied to `out`.
    private var copied = 0
    /// The brackets that are open.
    private var open: [UInt8] = []
    /// How many more values may come.
    private var valuesLeft: Int

    private init(_ bytes: [UInt8], valuesLimit: Int) { (self.bytes, valuesLeft) = (bytes, valuesLimit) }

    /// Reads bytes that are one JSON text.
    ///
    /// - Throws: `Problem`.
    package static func value(_ bytes: [UInt8]) throws(Problem) -> JSONValue {
        let text = try read(bytes, valuesLimit: JSONBound.valuesLimit)
        do {
            return try JSONReader.value(text.copied == 0 ? bytes : text.out + bytes[text.copied...], isMeasured: true)
        } catch {
            // A text that keeps to the letter is refused for its depth only.
            throw .unread(error.description)
        }
    }

    /// Checks that bytes keep to the letter, without making a value.
    ///
    /// - Throws: `Problem`.
    static func check(_ bytes: [UInt8]) throws(Problem) { _ = try read(bytes, valuesLimit: JSONBound.valuesLimit) }

    /// Counts the values of a text, nested ones included.
    ///
    /// - Throws: `Problem.unread` where there are more than the limit, `Problem.malformed`.
    static func count(_ bytes: [UInt8], limit: Int) throws(Problem) -> Int {
        try limit - read(bytes, valuesLimit: limit).valuesLeft
    }

    private static func read(_ bytes: [UInt8], valuesLimit: Int) throws(Problem) -> ExactJSON {
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw .malformed("is no JSON: it is not in UTF-8 (RFC 8259 §8.1)")
        }
        var text = ExactJSON(bytes, valuesLimit: valuesLimit)
        try text.read()
        return text
    }

    /// The value of a number that a Double may not hold, with all of its digits; `nil` for any other number, and for any other text.
    package static func long(_ literal: String) -> JSONValue? {
        ExactNumbers.isLong(Array(literal.utf8)[...]) && Numeral(literal) != nil
            ? .string(ExactNumbers.mark + literal) : nil
    }

    // MARK: the grammar, without recursion

    private mutating func read() throws(Problem) {
        skipBlanks()
        while true {
            if try !begin() { continue }
            // A value has ended, so the list or object around it may end too.
            while true {
                skipBlanks()
                guard let around = open.last else {
                    guard position == bytes.count else { throw problem }
                    return
                }
                if take(",") {
                    skipBlanks()
                    if around == UInt8(ascii: "{") { try name() }
                    break
                }
                guard take(around == UInt8(ascii: "{") ? "}" : "]") else { throw problem }
                open.removeLast()
            }
        }
    }

    /// Reads a value or its beginning; `false` where another value begins within it.
    private mutating func begin() throws(Problem) -> Bool {
        guard position < bytes.count else { throw problem }
        guard valuesLeft > 0 else { throw .unread("has more values than are read") }
        valuesLeft -= 1
        switch bytes[position] {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            let bracket = bytes[position]
            position += 1
            skipBlanks()
            if take(bracket == UInt8(ascii: "{") ? "}" : "]") { return true }
            open.append(bracket)
            if bracket == UInt8(ascii: "{") { try name() }
            return false
        case UInt8(ascii: "\""): try string()
        case UInt8(ascii: "t"): try word("true")
        case UInt8(ascii: "f"): try word("false")
        case UInt8(ascii: "n"): try word("null")
        default: try number()
        }
        return true
    }

    private mutating func name() throws(Problem) {
        guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { throw problem }
        try string()
        skipBlanks()
        guard take(":") else { throw problem }
        skipBlanks()
    }

    /// Reads a string: no control characters, and only the escapes of §7.
    private mutating func string() throws(Problem) {
        position += 1
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            guard bytes[position] >= 0x20 else { throw problem }
            if bytes[position] == UInt8(ascii: "\\") {
                position += 1
                guard position < bytes.count, "\"\\/bfnrtu".utf8.contains(bytes[position]) else { throw problem }
                if bytes[position] == UInt8(ascii: "u") {
                    for _ in 0..<4 {
                        position += 1
                        guard position < bytes.count, ExactJSON.isHexadecimal(bytes[position]) else { throw problem }
                    }
                }
            }
            position += 1
        }
        guard take("\"") else { throw problem }
    }

    /// Reads a number: no zero before other digits, and digits on both sides of a point (§6).
    private mutating func number() throws(Problem) {
        let start = position
        _ = take("-")
        if !take("0") { try digits() }
        if take(".") { try digits() }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            try digits()
        }
        guard ExactNumbers.isLong(bytes[start..<position]) else { return }
        out += bytes[copied..<start]
        out.append(UInt8(ascii: "\""))
        out += ExactNumbers.mark.utf8
        out += bytes[start..<position]
        out.append(UInt8(ascii: "\""))
        copied = position
    }

    private mutating func digits() throws(Problem) {
        let start = position
        while position < bytes.count, (0x30...0x39).contains(bytes[position]) { position += 1 }
        guard position > start else { throw problem }
    }

    private mutating func word(_ word: String) throws(Problem) {
        for byte in word.utf8 {
            guard position < bytes.count, bytes[position] == byte else { throw problem }
            position += 1
        }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func skipBlanks() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }

    private var problem: Problem {
        guard position < bytes.count else { return .malformed("ends before it is whole") }
        let rest = bytes[position...].prefix(12).map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }
        return .malformed("is no JSON at its byte \(position) (\(String(decoding: rest, as: UTF8.self)))")
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
    }
}

extension CapturedBody {
    /// Reads the body as a JSON text to the letter, with all digits of long numbers.
    func exactJSON() throws(ExactJSON.Problem) -> JSONValue { try ExactJSON.value(jsonBytes) }

    /// Reads the body as a JSON text to the letter, as strict clients do, with numbers as Doubles.
    func strictJSON() throws(ExactJSON.Problem) -> JSONValue {
        let bytes = jsonBytes
        try ExactJSON.check(bytes)
        do { return try JSONReader.value(bytes, isMeasured: true) } catch { throw .unread(error.description) }
    }

    /// The body's bytes in UTF-8, without a byte order mark, which RFC 8259 §8.1 lets a reader ignore.
    var jsonBytes: [UInt8] {
        switch charset {
        case .utf8, nil: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        default: Array(text.utf8)
        }
    }
}

extension JSONValue {
    /// The digits of a number that has too many for a Double; `nil` for any other value.
    var longDigits: Substring? {
        guard case .string(let text) = self else { return nil }
        return ExactNumbers.digits(text)
    }

    /// The number with all of its digits; `nil` for any other value.
    var numeral: Numeral? {
        if case .number(let number) = self { return Numeral(number) }
        return longDigits.flatMap { Numeral($0) }
    }
}
