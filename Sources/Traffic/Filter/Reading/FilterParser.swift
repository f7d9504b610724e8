/// Reads a query text: `code:5xx -host:cdn.test (path:/v2 or "not found")`.
///
/// Terms side by side must all hold, `or` joins less tightly, `( … )` groups, `-` negates. `key:a,b` takes either value. Anything else is text to be
/// found in the URL, the fields, the bodies or the messages. Errors say the column and what was expected; forms of other tools are errors too.
package struct FilterParser {
    /// Characters of a query.
    package static let limit = 10_000
    /// Groups within groups.
    private static let depthLimit = 50

    var lexer: FilterLexer
    let now: Int64
    /// The words that were read as text, without quotation marks, key or pattern.
    private var words: [String] = []

    /// Reads a query text.
    ///
    /// - Parameters:
    ///   - text: the query; an empty one selects everything.
    ///   - now: what `since:10m` counts back from: microseconds since 1970.
    /// - Returns: the filter.
    /// - Throws: `FilterError` with the column and what was expected there.
    package static func parse(_ text: String, now: Int64) throws(FilterError) -> Filter {
        guard text.count <= limit else {
            throw FilterError("the query has \(text.count) characters; at most \(limit) are read")
        }
        var parser = FilterParser(lexer: FilterLexer(text), now: now)
        do {
            return Filter(try parser.whole())
        } catch {
            throw FilterError(error.sentence, column: error.column, query: text)
        }
    }

    /// The words of a query that are text as they stand; none where it cannot be read.
    static func words(of text: String) -> [String] {
        guard text.count <= limit else { return [] }
        var parser = FilterParser(lexer: FilterLexer(text), now: 0)
        return (try? parser.whole()) == nil ? [] : parser.words
    }

    init(lexer: FilterLexer, now: Int64) { (self.lexer, self.now) = (lexer, now) }

    private mutating func whole() throws(FilterReadingError) -> FilterCondition {
        lexer.skipBlanks()
        if lexer.isAtEnd { return .allOf([]) }
        let condition = try alternatives(depth: 0)
        if lexer.peek() == ")" { throw FilterReadingError("there is no ( that this ) closes", column: lexer.column) }
        return condition
    }

    mutating func alternatives(depth: Int) throws(FilterReadingError) -> FilterCondition {
        var parts = [try terms(depth: depth)]
        while lexer.takeWord("or") { parts.append(try terms(depth: depth)) }
        return .anyOf(parts)
    }

    /// Terms side by side; they end at `or`, at a closing parenthesis, or with the text.
    private mutating func terms(depth: Int) throws(FilterReadingError) -> FilterCondition {
        var parts: [FilterCondition] = []
        while true {
            lexer.skipBlanks()
            if !parts.isEmpty, lexer.takeWord("and") {
                lexer.skipBlanks()
                parts.append(try term(depth: depth))
                continue
            }
            guard !lexer.isAtEnd, lexer.peek() != ")", !isAtOr else { break }
            parts.append(try term(depth: depth))
        }
        guard !parts.isEmpty else {
            throw FilterReadingError("expected a term here, for example code:404 or a word", column: lexer.column)
        }
        return .allOf(parts)
    }

    var isAtOr: Bool {
        var copy = lexer
        return copy.takeWord("or")
    }

    mutating func term(depth: Int) throws(FilterReadingError) -> FilterCondition {
        let start = lexer.column
        if lexer.peek() == "-", let next = lexer.peek(1), !next.isWhitespace, next != ")" {
            _ = lexer.take("-")
            guard depth < FilterParser.depthLimit else { throw tooDeep }
            return .negation(try term(depth: depth + 1))
        }
        if lexer.take("(") {
            guard depth < FilterParser.depthLimit else { throw tooDeep }
            let inside = try alternatives(depth: depth + 1)
            guard lexer.take(")") else { throw FilterReadingError("this ( is never closed", column: start) }
            return inside
        }
        if lexer.peek() == "\"" {
            let text = try lexer.phrase()
            guard !text.isEmpty else {
                throw FilterReadingError("there is no text between these quotes", column: start)
            }
            return .test(.text(TextPattern(containing: text)))
        }
        if let key = try lexer.takeKey() { return try keyed(key) }
        if let source = lexer.takeRegex(isPath: true) {
            do {
                return .test(.text(try TextPattern(regex: source)))
            } catch {
                throw FilterReadingError(
                    "the regular expression cannot be read: \(error.sentence)",
                    column: start + 1 + error.offset
                )
            }
        }
        try refuseForeignForm()
        let word = try lexer.word()
        guard !word.isEmpty, !["or", "and"].contains(word.lowercased()) else {
            throw FilterReadingError("expected a term here, for example code:404 or a word", column: start)
        }
        words.append(word)
        return .test(.text(TextPattern(containing: word)))
    }

    private var tooDeep: FilterReadingError {
        FilterReadingError(
            "groups lie too deep in one another; at most \(FilterParser.depthLimit)",
            column: lexer.column
        )
    }

    private mutating func keyed(_ key: FilterKey) throws(FilterReadingError) -> FilterCondition {
        var values: [FilterValue] = []
        repeat {
            let start = lexer.column
            let value = try lexer.value(of: key)
            guard !value.text.isEmpty else {
                let place = values.isEmpty ? "after \(key.name):" : "after the comma"
                throw FilterReadingError(
                    "expected a value \(place), for example \(key.name):\(key.example)",
                    column: start
                )
            }
            try refuseForeignSigns(in: value, of: key)
            values.append(value)
        } while lexer.take(",")
        if let next = lexer.peek(), !next.isWhitespace, next != ")" {
            throw FilterReadingError("expected a blank, a comma or the end after the value", column: lexer.column)
        }
        return .test(try key.test(values, now: now))
    }
}
