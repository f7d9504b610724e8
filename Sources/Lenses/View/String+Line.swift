extension String {
    /// Characters of a line.
    private static let lineLimit = 2_000

    /// It, cut to what a line has room for: a parameter, a word or a title may be as long as a body.
    var cutToLine: String {
        utf8.count > String.lineLimit ? String(unicodeScalars.prefix(String.lineLimit)) + "…" : self
    }
}
