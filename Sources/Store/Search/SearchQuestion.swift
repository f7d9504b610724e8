import Traffic

/// A test of texts as blocks can answer it: needles, and the parts where they count.
struct SearchQuestion {
    /// One way to meet the test.
    struct Way {
        /// The needles that one text must hold, all of them.
        var needles: [[UInt8]]
        /// The bytes that the text must begin with; empty for any.
        var prefix: [UInt8] = []
        /// Whether a text with the needles meets the test for certain.
        var isExact: Bool

        /// The verdict on a text with the needles.
        var verdict: ConditionColumn.Verdict { isExact ? .yes : .open }
        /// The needles and the beginning, which a filter can be asked for.
        var asked: [[UInt8]] { prefix.isEmpty ? needles : needles + [prefix] }
    }

    /// One bit for each part that counts.
    let parts: UInt8
    /// The ways, of which any one meets the test.
    let ways: [Way]

    /// The question of a test; `nil` for a test that only the row can answer.
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

    /// The needles of a body that may meet a JSON pattern: its literals, or an escape that may stand for one of their characters.
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
