import Traffic

/// A test of texts as blocks can answer it: needles and where they count.
struct SearchQuestion {
    /// One way to meet the test.
    struct Way {
        /// What must stand in a text, all in the same one.
        var needles: [[UInt8]]
        /// What the text must begin with; empty for anything.
        var prefix: [UInt8] = []
        /// Whether a text that has them is as wanted, or only may be.
        var isExact: Bool

        /// What a text that has them says.
        var verdict: ConditionColumn.Verdict { isExact ? .yes : .open }
        /// All that the filter can be asked about.
        var asked: [[UInt8]] { prefix.isEmpty ? needles : needles + [prefix] }
    }

    /// One bit for each part that counts.
    let parts: UInt8
    /// Any of these will do.
    let ways: [Way]

    /// The question that a test asks; `nil` for one that only the row can answer.
    init?(_ test: FilterTest) {
        let parts: [SearchPart]
        var ways: [Way?]
        switch test {
        case .text(let pattern):
            parts = SearchPart.allCases
            ways = pattern.readings.map(SearchQuestion.way)
        case .header(let side, let patterns):
            parts = (side.map { [$0] } ?? MessageSide.allCases).map(SearchPart.header)
            ways = patterns.map(SearchQuestion.way)
        case .body(let side, let patterns):
            parts = (side.map { [$0] } ?? MessageSide.allCases).map(SearchPart.body)
            ways = patterns.flatMap(\.readings).map(SearchQuestion.way)
        case .message(let patterns):
            parts = [.message]
            ways = patterns.flatMap(\.readings).map(SearchQuestion.way)
        case .json(let patterns):
            parts = MessageSide.allCases.map(SearchPart.body)
            ways = patterns.flatMap(SearchQuestion.ways)
        case .facet, .number, .since, .before, .line, .trait: return nil
        }
        let known = ways.compactMap { $0 }
        guard known.count == ways.count else { return nil }
        self.parts = parts.reduce(0) { $0 | 1 << UInt8($1.rawValue) }
        self.ways = known
    }

    /// The sections that hold the parts.
    var sections: Set<SearchPart.Section> { Set(SearchPart.allCases.filter(counts).map(\.section)) }

    /// Whether a part counts.
    func counts(_ part: SearchPart) -> Bool { parts >> UInt8(part.rawValue) & 1 == 1 }

    /// Whether it looks into bodies.
    var looksAtBodies: Bool { counts(.requestBody) || counts(.responseBody) }

    private static func way(_ pattern: TextPattern) -> Way? {
        switch pattern.need {
        case .exactly(let needle): needle.isEmpty ? nil : Way(needles: [needle], isExact: true)
        case .atLeast(let needle): needle.isEmpty ? nil : Way(needles: [needle], isExact: false)
        }
    }

    /// What a body has in which a JSON pattern may be met: its literals, or an escape that may stand for a character of theirs.
    private static func ways(_ pattern: JSONPattern) -> [Way?] {
        let literals = pattern.literals
        guard !literals.isEmpty else { return [nil] }
        return [Way(needles: literals, isExact: false)]
            + JSONPattern.escapes(of: literals).map { Way(needles: [$0], isExact: false) }
    }

    private static func way(_ pattern: HeaderPattern) -> Way? {
        let name: TextPattern
        switch pattern.name {
        case .line(let pattern): return way(pattern)
        case .named(let pattern): name = pattern
        }
        // A line is `name: value`, and no name has a colon.
        guard name.form == .contains, case .exactly(let folded) = name.need, !folded.isEmpty,
            folded.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: ":") })
        else { return nil }
        let prefix = folded + Array(": ".utf8)
        guard let value = pattern.value else { return Way(needles: [], prefix: prefix, isExact: true) }
        switch value.need {
        case .exactly(let needle): return Way(needles: needle.isEmpty ? [] : [needle], prefix: prefix, isExact: true)
        case .atLeast(let needle): return Way(needles: needle.isEmpty ? [] : [needle], prefix: prefix, isExact: false)
        }
    }
}
