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

    /// Whether a name is meant.
    func matches(_ name: String) -> Bool {
        let text = Array((ignoresCase ? ASCII.lower(name) : name).utf8)
        var (p, t) = (0, 0)
        var star: (pattern: Int, text: Int)?
        while t < text.count {
            if p < pattern.count, pattern[p] == UInt8(ascii: "*") {
                star = (p, t)
                p += 1
            } else if p < pattern.count, pattern[p] == text[t] {
                p += 1
                t += 1
            } else if let last = star {
                (p, t) = (last.pattern + 1, last.text + 1)
                star = (last.pattern, last.text + 1)
            } else {
                return false
            }
        }
        return pattern[p...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}
