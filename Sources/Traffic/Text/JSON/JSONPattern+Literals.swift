extension JSONPattern {
    /// Texts that every JSON text which meets the pattern contains once it is folded, the rarest first; empty where nothing is known.
    ///
    /// They are the names and the value of the pattern as JSON writes them without escapes. Any character of a JSON string may be written `\u0041`
    /// (RFC 8259 §7), so a text without them may still meet the pattern where it has one of `escapes(of:)`.
    package var literals: [[UInt8]] {
        let names = path.steps.compactMap { step -> [UInt8]? in
            switch step {
            case .name(let name), .below(let name): JSONPattern.literal(name, isWhole: true)
            case .index, .any: nil
            }
        }
        return (valueLiteral.map { [$0] } ?? []) + names.sorted { $0.count > $1.count }
    }

    /// Beginnings of the escapes, folded, that may stand for a character of some literals.
    ///
    /// Two characters outside ASCII are ASCII once they are folded: K (Kelvin) and İ.
    package static func escapes(of literals: [[UInt8]]) -> [[UInt8]] {
        var escapes: Set<[UInt8]> = []
        for byte in literals.joined() where byte != UInt8(ascii: "\"") {
            let capital = (0x61...0x7A).contains(byte) ? byte - 0x20 : byte
            for each in [byte, capital] { escapes.insert(Array("\\u00\(each >> 4)".utf8)) }
            if byte == UInt8(ascii: "k") { escapes.insert(Array("\\u212".utf8)) }
            if byte == UInt8(ascii: "i") { escapes.insert(Array("\\u013".utf8)) }
        }
        return escapes.sorted { $0.lexicographicallyPrecedes($1) }
    }

    private var valueLiteral: [UInt8]? {
        switch condition {
        case .exists, .compared: return nil
        case .equals(let text):
            // A number may be written in many ways, and is no string.
            guard Double(text) == nil else { return nil }
            let isWord = ["true", "false", "null"].contains(text.lowercased())
            return JSONPattern.literal(text, isWhole: !isWord)
        case .like(let pattern):
            // The text of a number may match too, and a number may be written in many ways.
            guard let need = String(validating: pattern.need.bytes, as: UTF8.self),
                need.utf8.contains(where: { !JSONPattern.numeric.contains($0) })
            else { return nil }
            return JSONPattern.literal(need, isWhole: false)
        }
    }

    /// What numbers are written with, as `Condition.text` writes them.
    private static let numeric = Set("0123456789+-.einfa".utf8)

    /// What of a text stands in every JSON text that has it unescaped.
    ///
    /// Only characters count that JSON has no short escape for and that no other is canonically equivalent to, since values are compared as Swift
    /// compares strings.
    ///
    /// - Parameters:
    ///   - text: a name or a value.
    ///   - isWhole: whether it is all of a string, so that quotes stand round it.
    /// - Returns: the bytes, folded; `nil` where nothing is sure to stand there.
    private static func literal(_ text: String, isWhole: Bool) -> [UInt8]? {
        let runs = text.utf8.split(omittingEmptySubsequences: false) { !isPlain($0) }
        if isWhole, runs.count == 1, let run = runs.first { return TextFold.bytes("\"\(Substring(run))\"") }
        // A scalar outside ASCII may join the character before it.
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        guard let longest = runs.max(by: { $0.count < $1.count }), longest.count > 1 else { return nil }
        return TextFold.bytes(String(Substring(longest)))
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case UInt8(ascii: " "), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ":"),
            UInt8(ascii: ","), UInt8(ascii: "$"), UInt8(ascii: "@"):
            true
        default: false
        }
    }
}
