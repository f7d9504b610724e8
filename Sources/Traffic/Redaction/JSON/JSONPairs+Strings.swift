extension JSONPairs {
    /// A value that belongs to a name.
    struct Pair {
        let value: WaitingValues.Value
        let label: SecretScanner.Label
        /// Whether it may be a pair by chance only, in a list of names.
        var isLocal = false
    }

    /// The ways to tell the strings of a text from the text between them.
    enum Strings {
        /// Strings end at their quotation marks and may span lines.
        case whole
        /// No string goes past the end of its line: each line, or each event, may be a text of its own, and one of them may be cut.
        case inLines
        /// As `whole`, but the text begins in the middle of a string.
        case cutBefore
        /// As `cutBefore`, but the first quotation mark ends that string, whatever backslashes stand before it.
        case cutAtMark
        /// As `whole`, but the text begins between two strings.
        case cutBetween

        /// Whether the text begins in the middle, and the beginning of the objects and lists around it is missing.
        var isCut: Bool { self == .cutBefore || self == .cutAtMark || self == .cutBetween }

        /// The ways to read a text that begins anywhere.
        ///
        /// The cut may have halved the escape of a backslash, so the backslashes before the first quotation mark do not tell whether it is escaped.
        /// Where it ends a string, `cutAtMark` goes on as the whole text does. Where it is escaped, the reader is in a string behind it, as behind
        /// a mark that begins one, and `cutBetween` goes on as the whole text does.
        static func cut(_ bytes: [UInt8]) -> [Strings] {
            let isEscaped = bytes.firstIndex(of: UInt8(ascii: "\"")).map { bytes[..<$0].last == UInt8(ascii: "\\") }
            return isEscaped == true ? [.cutBefore, .cutBetween, .cutAtMark] : [.cutBefore, .cutBetween]
        }
    }

    /// Whether a text may have names or values in single quotation marks.
    static func mayHaveSingles(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.indices.dropLast().contains { bytes[$0] == UInt8(ascii: "'") && ":,".utf8.contains(bytes[$0 + 1]) }
    }

    /// A range that is one secret, whatever is in it.
    static func secret(_ range: Range<Int>) -> Pair? {
        let label = SecretScanner.Label(Array("secret".utf8)[...])
        return label.map { Pair(value: WaitingValues.Value(range: range, isNumber: true), label: $0, isLocal: true) }
    }

    /// A member's name in lower case, its escapes undone.
    func member(_ name: ArraySlice<UInt8>) -> String {
        let isEscaped = name.contains(UInt8(ascii: "\\"))
        let plain = isEscaped ? DecodedPiece.spellings(of: Array(name)).last ?? [] : Array(name)
        return String(decoding: plain.map(ASCII.lower), as: UTF8.self)
    }

    /// Whether a byte may stand in a number.
    static func isNumber(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || "+-.eE".utf8.contains(byte)
    }

    /// How many bytes of a string stand for one: two for an escape; the end of a line is never part of an escape.
    static func width(_ bytes: [UInt8], at index: Int) -> Int {
        guard bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count else { return 1 }
        return bytes[index + 1] == ASCII.lineFeed || bytes[index + 1] == ASCII.carriageReturn ? 1 : 2
    }
}
