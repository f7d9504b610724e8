/// A regular expression whose matches are replaced; it minds case unless it begins with `(?i)`.
package struct ReplacedPattern: Hashable, Sendable {
    /// Steps that may be followed in one text: about a second's work.
    static let workLimit = 10_000_000

    /// The expression as it was written.
    package let source: String
    /// Its groups that can be named, at most nine.
    let groups: Int
    private let program: RegexProgram

    /// Reads an expression.
    init(_ source: String) throws(RegexReader.Problem) {
        let (node, groups) = try RegexReader.readReplaced(source)
        (self.source, self.groups) = (source, groups)
        program = try RegexProgram(node)
    }

    package static func == (left: ReplacedPattern, right: ReplacedPattern) -> Bool { left.source == right.source }

    package func hash(into hasher: inout Hasher) { hasher.combine(source) }

    /// Whether it matches the empty text, and so between any two characters.
    var matchesNothing: Bool { matches(in: [])?.isEmpty == false }

    /// The matches in a text, from left to right; `nil` where to find them takes too much work.
    ///
    /// - Parameters:
    ///   - text: UTF-8; other bytes stand for the scalars of their numbers.
    ///   - limit: so many matches at most.
    /// - Returns: the matches; `nil` where it takes too much work to find them.
    func matches(in text: [UInt8], limit: Int = .max) -> [RegexSearch.Match]? {
        var search = RegexSearch(program)
        return text.withUnsafeBytes { search.matches(in: $0, limit: limit, workLimit: ReplacedPattern.workLimit) }
    }
}
