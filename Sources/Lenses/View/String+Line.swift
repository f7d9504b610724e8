extension String {
    /// The length of a line in characters.
    private static let lineLimit = 2_000

    /// The text cut to the length of a line: a parameter, a word or a title may be as long as a body.
    var cutToLine: String {
        utf8.count > String.lineLimit ? String(unicodeScalars.prefix(String.lineLimit)) + "…" : self
    }
}
