/// A name, or a pattern of names in which `*` stands for any run of characters.
package struct NameGlob: Hashable, Sendable {
    package let text: String
    private let pattern: [UInt8]
    private let ignoresCase: Bool

    /// A pattern of names.
    ///
    /// - Parameters:
    ///   - text: the pattern.
    ///   - ignoresCase: whether ASCII letters of either case are the same, as in names of fields.
    package init(_ text: String, ignoresCase: Bool) {
        self.text = text
        self.ignoresCase = ignoresCase
        pattern = Array((ignoresCase ? ASCII.lower(text) : text).utf8)
    }

    /// Whether the pattern names more than one name.
    var isPattern: Bool { pattern.contains(UInt8(ascii: "*")) }

    /// Whether a name matches.
    func matches(_ name: String) -> Bool {
        FacetSelector.glob(pattern, Array((ignoresCase ? ASCII.lower(name) : name).utf8))
    }
}
