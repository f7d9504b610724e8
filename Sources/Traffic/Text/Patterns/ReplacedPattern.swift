/// A regular expression whose matches are replaced; it minds case unless it begins with `(?i)`.
package struct ReplacedPattern: Hashable, Sendable {
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

    /// Whether it matches the empty text beside others, and so between characters or behind what it has matched; an anchor does so once.
    var matchesNothing: Bool {
        var work = EditWork()
        let isEmptyMatched = matches(in: [], work: &work)?.isEmpty == false
        return isEmptyMatched && matches(in: [1, 1], work: &work)?.count ?? 0 > 1
    }

    /// The matches in a text, from left to right; `nil` where to find them takes too much work.
    ///
    /// - Parameters:
    ///   - text: UTF-8; other bytes stand for the scalars of their numbers.
    ///   - limit: so many matches at most.
    ///   - work: the work that is left; it is reduced by what was done.
    /// - Returns: the matches; `nil` where there is not enough work left to find them.
    func matches(in text: [UInt8], limit: Int = .max, work: inout EditWork) -> [RegexSearch.Match]? {
        var search = RegexSearch(program)
        let found = text.withUnsafeBytes { search.matches(in: $0, limit: limit, workLimit: work.steps, work.isWanted) }
        return work.follow(search.work) ? found : nil
    }
}
