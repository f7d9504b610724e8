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
        /// As `whole`, but the text begins between two strings.
        case cutBetween

        /// Whether strings outside objects and lists count too, because the beginning of these is missing.
        var count: Bool { self == .cutBefore || self == .cutBetween }

        /// Where the reading begins: behind the backslashes at the beginning of a cut text, because the cut may have halved an escape.
        ///
        /// The mark behind them then ends a string in one way to read the text and begins one in the other. A mark that the whole text escapes leaves
        /// the reader in a string, as a mark that begins one does; so one of the two ways goes on as the whole text does.
        func start(in bytes: [UInt8]) -> Int {
            count ? bytes.prefix { $0 == UInt8(ascii: "\\") }.count : 0
        }
    }

    /// How many bytes of a string stand for one: two for an escape; the end of a line is never part of an escape.
    static func width(_ bytes: [UInt8], at index: Int) -> Int {
        guard bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count else { return 1 }
        return bytes[index + 1] == ASCII.lineFeed || bytes[index + 1] == ASCII.carriageReturn ? 1 : 2
    }
}
