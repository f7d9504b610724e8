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
    }
}
