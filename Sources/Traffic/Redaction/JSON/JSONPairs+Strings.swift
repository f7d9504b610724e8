extension JSONPairs {
    /// A value that belongs to a name.
    struct Pair {
        let value: WaitingValues.Value
        let label: SecretScanner.Label
        /// Whether a list may have it by chance, as one of names.
        var isLocal = false
    }

    /// How the strings of a text are told from what stands between them.
    enum Strings {
        /// They end at their quotation marks, over the ends of lines too.
        case whole
        /// None goes past the end of its line, as where each line, or each event, is a text of its own and one of them is cut.
        case inLines
        /// The same as `whole`, but the text begins in the middle of one.
        case cutBefore
        /// The same, but it begins between two.
        case cutBetween

        /// Whether strings count outside of objects and lists too, whose beginnings are not known.
        var count: Bool { self == .cutBefore || self == .cutBetween }
    }

    /// How many bytes stand for one in a string: two of an escape, which the end of a line belongs to none of.
    static func width(_ bytes: [UInt8], at index: Int) -> Int {
        guard bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count else { return 1 }
        return bytes[index + 1] == ASCII.lineFeed || bytes[index + 1] == ASCII.carriageReturn ? 1 : 2
    }
}
