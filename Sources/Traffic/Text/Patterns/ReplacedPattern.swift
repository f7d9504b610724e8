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
        func count(_ text: [UInt8]) -> Int {
            var count = 0
            _ = find(in: text, work: &work) { _ in
                count += 1
                return count < 2
            }
            return count
        }
        return count([]) > 0 && count([1, 1]) > 1
    }

    /// Finds the matches in a text, from left to right.
    ///
    /// - Parameters:
    ///   - text: UTF-8; other bytes stand for the scalars of their numbers.
    ///   - work: the work that is left; it is reduced by what was done.
    ///   - parts: parts of the text that is written in the place of each match.
    ///   - take: takes each match as it is found; `false` where no more are wanted.
    /// - Returns: whether all that were wanted were found; `false` where there is not enough work left for that.
    func find(
        in text: [UInt8],
        work: inout EditWork,
        parts: Int = 0,
        _ take: (RegexSearch.Match) -> Bool
    ) -> Bool {
        var search = RegexSearch(program)
        let isDone = text.withUnsafeBytes { bytes in
            search.find(in: bytes, workLimit: work.steps, matchWork: parts, while: work.isWanted, take)
        }
        return work.follow(search.work) && isDone
    }
}
