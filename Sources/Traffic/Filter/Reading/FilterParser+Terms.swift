extension FilterParser {
    /// Reads the terms of a query text, in order; alternatives without parentheses are one term.
    ///
    /// - Parameters:
    ///   - text: the query; `@name` in it is a word like others.
    ///   - now: what `since:10m` counts back from: microseconds since 1970.
    /// - Returns: terms that together mean what the text means; none for an empty text.
    /// - Throws: `FilterError` as `parse` does.
    package static func terms(_ text: String, now: Int64) throws(FilterError) -> [FilterTerm] {
        // An error of the whole text names its place in the whole text.
        _ = try parse(text, now: now)
        let characters = Array(text)
        var offsets = [0]
        for character in characters { offsets.append((offsets.last ?? 0) + character.utf16.count) }
        var parser = FilterParser(lexer: FilterLexer(text), now: now)
        let found: [(range: Range<Int>, condition: FilterCondition, isBareList: Bool)]
        do {
            found = try parser.spans(characters)
        } catch {
            throw FilterError(error.sentence, column: error.column, query: text)
        }
        return found.map { range, condition, isBareList in
            FilterTerm(
                text: String(characters[range]),
                range: offsets[range.lowerBound]..<offsets[range.upperBound],
                condition: condition,
                isBareList: isBareList
            )
        }
    }

    /// The terms beside each other with their places in characters.
    private mutating func spans(
        _ characters: [Character]
    ) throws(FilterReadingError) -> [(range: Range<Int>, condition: FilterCondition, isBareList: Bool)] {
        var found: [(range: Range<Int>, condition: FilterCondition, isBareList: Bool)] = []
        while true {
            lexer.skipBlanks()
            if !found.isEmpty, lexer.takeWord("and") { lexer.skipBlanks() }
            guard !lexer.isAtEnd else { return found }
            if isAtOr {
                let start = found.first?.range.lowerBound ?? 0
                let end = (characters.lastIndex { !$0.isWhitespace } ?? start - 1) + 1
                var again = FilterParser(lexer: FilterLexer(String(characters)), now: now)
                return [(start..<end, try again.alternatives(depth: 0), true)]
            }
            let start = lexer.position
            let condition = try term(depth: 0)
            found.append((start..<lexer.position, condition, false))
        }
    }
}
