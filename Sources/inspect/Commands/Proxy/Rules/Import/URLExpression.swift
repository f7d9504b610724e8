/// A regular expression of another program that is looked for in a URL, of which it replaces what is matched.
struct URLExpression {
    /// Bytes of an expression; our own take no more.
    private static let limitBytes = 1_000

    private let source: Substring
    /// The expression with a sign in the place of each escape, class and group.
    private let bare: String

    init(_ source: String) {
        let isShort = source.utf8.count <= URLExpression.limitBytes
        self.source = isShort ? source[...] : ""
        var bare = self.source.replacing(/(?s)\\./, with: "x").replacing(/\[\^?\]?[^\]]*\]/, with: "x")
        while let group = bare.firstMatch(of: /\([^()]*\)/) { bare.replaceSubrange(group.range, with: "x") }
        self.bare = String(bare)
    }

    /// Whether what it matches is always the whole URL.
    var isWhole: Bool {
        (bare.hasPrefix("^") || bare.hasPrefix(".*")) && (bare.hasSuffix("$") || bare.hasSuffix(".*"))
            && !bare.contains("|")
    }

    /// The beginning of URLs that it stands for, a dot and `https?` being taken for themselves; `nil` where it is no such text.
    var start: String? {
        let text = source.hasPrefix("^") ? source.dropFirst() : source
        let plain = text.replacing(/^https\?:/, with: "https:")
        let signs = plain.replacing(/\\[^A-Za-z0-9]/, with: "")
        guard !signs.isEmpty, !signs.contains(where: { "\\^$+()[]{}*?|".contains($0) }) else { return nil }
        return String(plain.replacing(/\\(.)/) { $0.1 })
    }
}
