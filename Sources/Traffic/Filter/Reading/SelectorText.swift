/// What a person writes to select exchanges: numbers and ranges of them, or a query text.
///
/// Where all words are numbers, they name exchanges. A number that is meant as text stands in quotation marks, as the query text has them: `"12"`.
package enum SelectorText: Hashable, Sendable {
    /// Exchanges by number, in the order in which they were written; there is at least one.
    case numbers([ClosedRange<ExchangeID>])
    /// A query text; a blank one selects everything.
    case query(String)

    /// Reads a text; commas and blanks stand between numbers.
    ///
    /// - Throws: `FilterError` for a number or a range that no exchange can have.
    package init(_ text: String) throws(FilterError) {
        let words = text.split { $0.isWhitespace || $0 == "," }
        guard !words.isEmpty, words.allSatisfy(SelectorText.isNumber) else {
            self = .query(text)
            return
        }
        var ranges: [ClosedRange<ExchangeID>] = []
        for word in words { ranges.append(try SelectorText.range(word)) }
        self = .numbers(ranges)
    }

    /// Whether a text consists of numbers and ranges alone; a number or a range that no exchange can have counts too.
    package static func isNumbers(_ text: some StringProtocol) -> Bool {
        let words = text.split { $0.isWhitespace || $0 == "," }
        return !words.isEmpty && words.allSatisfy { isNumber($0) }
    }

    /// The first number or range that stands beside other words in a query text; `nil` where each number is quoted or follows a key.
    ///
    /// Such a number is searched for as text, though it reads like the number of an exchange.
    package var strayNumber: String? {
        guard case .query(let text) = self, let plain = try? SavedSearch.blanked(text) else { return nil }
        return FilterParser.words(of: plain).first { SelectorText.isNumbers($0) }
    }

    /// The exchange that is named alone, by its number; `nil` for several, a range or a query.
    package var single: ExchangeID? {
        guard case .numbers(let ranges) = self, ranges.count == 1 else { return nil }
        return SelectorText.alone(ranges[0])
    }

    /// The two exchanges that are named, each by its number; `nil` for anything else.
    package var pair: (ExchangeID, ExchangeID)? {
        guard case .numbers(let ranges) = self, ranges.count == 2, let one = SelectorText.alone(ranges[0]),
            let other = SelectorText.alone(ranges[1])
        else { return nil }
        return (one, other)
    }

    /// Whether it selects everything.
    package var isEmpty: Bool {
        if case .query(let text) = self { text.allSatisfy(\.isWhitespace) } else { false }
    }

    /// The query text that selects the same.
    package var queryText: String {
        switch self {
        case .numbers(let ranges): "id:" + ranges.map(SelectorText.words).joined(separator: ",")
        case .query(let text): text
        }
    }

    /// A number or a range as it is written.
    package static func words(_ range: ClosedRange<ExchangeID>) -> String {
        alone(range).map { "\($0)" } ?? "\(range.lowerBound)..\(range.upperBound)"
    }

    /// The filter that it means.
    ///
    /// - Parameters:
    ///   - now: what `since:10m` counts back from: microseconds since 1970.
    ///   - expanding: puts in what the saved searches of a query text stand for.
    /// - Returns: the filter.
    /// - Throws: `FilterError` for a query that cannot be read; what `expanding` throws.
    package func filter(now: Int64, expanding: (String) throws -> String) throws -> Filter {
        switch self {
        case .numbers(let ranges): Filter(.test(.number(.id, ranges)))
        case .query(let text): try FilterParser.parse(expanding(text), now: now)
        }
    }

    // MARK: words

    /// Whether a word is a number or a range, as far as it is written like one.
    private static func isNumber(_ word: some StringProtocol) -> Bool {
        let ends = ends(word)
        return ends.count <= 2 && ends.contains { !$0.isEmpty } && ends.allSatisfy { $0.utf8.allSatisfy(isDigit) }
    }

    private static func range(_ word: Substring) throws(FilterError) -> ClosedRange<ExchangeID> {
        let ends = ends(word)
        guard let first = ends.first, let last = ends.last, !first.isEmpty, !last.isEmpty else {
            throw FilterError("\(word): a range has two ends, such as 10..20 (id:>=10 has no upper one)")
        }
        guard let low = ExchangeID(first), let high = ExchangeID(last) else {
            throw FilterError("\(word): no exchange has so great a number; in quotation marks it is text")
        }
        guard low >= 1 else { throw FilterError("the number of an exchange is 1 or more, not \(low)") }
        guard low <= high else { throw FilterError("\(word): the range begins above its end; write \(high)..\(low)") }
        return low...high
    }

    /// The number of a range that holds one alone.
    private static func alone(_ range: ClosedRange<ExchangeID>) -> ExchangeID? {
        range.lowerBound == range.upperBound ? range.lowerBound : nil
    }

    /// The two ends of a range as they are written; a number alone is both ends.
    private static func ends(_ word: some StringProtocol) -> [String] {
        String(word).split(separator: "..", omittingEmptySubsequences: false).map(String.init)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
