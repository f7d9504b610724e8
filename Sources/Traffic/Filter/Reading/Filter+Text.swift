/// A filter as query text: parsing it gives the same filter.
extension Filter {
    /// The query text; empty for a filter that selects everything.
    package var text: String {
        var terms: [String] = []
        for facet in Facet.all {
            guard let wanted = selections[facet.name], !wanted.isEmpty else { continue }
            terms.append(FilterTest.facet(facet, wanted).text)
        }
        if let since { terms.append(FilterTest.since(since).text) }
        if let before { terms.append(FilterTest.before(before).text) }
        // Alone, alternatives need no parentheses.
        if terms.isEmpty, conditions.count == 1, case .any(let parts) = conditions[0], !parts.isEmpty {
            return parts.map(\.text).joined(separator: " or ")
        }
        return (terms + conditions.map(\.text)).joined(separator: " ")
    }
}

extension FilterCondition {
    /// The query text, in parentheses where it is a list.
    var text: String {
        switch self {
        case .test(let test): test.text
        case .not(let part): "-" + part.text
        case .all(let parts): "(" + parts.map(\.text).joined(separator: " ") + ")"
        case .any(let parts): "(" + parts.map(\.text).joined(separator: " or ") + ")"
        }
    }
}

extension FilterTest {
    /// The query text of one term.
    var text: String {
        switch self {
        case .facet(let facet, let wanted): "\(facet.name):" + FilterTest.list(wanted.map { $0.text(in: facet) })
        case .number(let number, let ranges):
            "\(number.rawValue):" + FilterTest.list(ranges.map { Quantity.text($0, number.unit) })
        case .since(let time): "since:\(Moment.text(time))"
        case .before(let time): "before:\(Moment.text(time))"
        case .line(let line, let patterns): "\(line.rawValue):" + FilterTest.list(patterns.map(\.text))
        case .header(let side, let patterns):
            FilterTest.prefix(side) + "header:" + FilterTest.list(patterns.map(\.text))
        case .body(let side, let patterns): FilterTest.prefix(side) + "body:" + FilterTest.list(patterns.map(\.text))
        case .json(let patterns): "json:" + FilterTest.list(patterns.map(\.text))
        case .message(let patterns): "message:" + FilterTest.list(patterns.map(\.text))
        case .trait(let traits): "is:" + FilterTest.list(traits.map(\.rawValue))
        case .text(let pattern): pattern.form == .regex ? "/\(pattern.source)/" : QueryWord.quoted(pattern.source)
        }
    }

    private static func list(_ values: [String]) -> String { values.joined(separator: ",") }

    private static func prefix(_ side: MessageSide?) -> String {
        switch side {
        case .request: "req"
        case .response: "res"
        case nil: ""
        }
    }
}

/// Words as they may stand in a query.
package enum QueryWord {
    /// A value, in quotes where it would be read as something else without.
    static func value(_ text: String) -> String {
        let isPlain = !text.isEmpty && !text.hasPrefix("/") && text.allSatisfy(isPlain) && !isForeign(text)
        return isPlain ? text : quoted(text)
    }

    /// Whether a text has another tool's sign, which is refused outside quotes.
    static func isForeign(_ text: String) -> Bool {
        text.contains("|") || text.contains("&&") || text.hasPrefix("!")
    }

    /// A text in quotes.
    package static func quoted(_ text: String) -> String {
        "\"" + text.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined() + "\""
    }

    private static func isPlain(_ character: Character) -> Bool {
        !character.isWhitespace && !"\",()*<>=[]".contains(character)
    }
}

extension FacetSelector {
    /// The value as it may stand in a query after the facet's key.
    func text(in facet: Facet) -> String {
        switch self {
        case .codes(let range):
            return range.upperBound == 999
                ? ">=\(FacetSelector.digits(range.lowerBound))"
                : range.lowerBound == 0
                    ? "<=\(FacetSelector.digits(range.upperBound))"
                    : "\(FacetSelector.digits(range.lowerBound))-\(FacetSelector.digits(range.upperBound))"
        case .kind(let kind): return kind.rawValue
        case .like(let pattern): return pattern.text
        case .host(let pattern):
            let rest = pattern.filter { $0 != "*" }
            let isPlain = rest.isEmpty || QueryWord.value(rest) == rest && !rest.contains("&")
            return isPlain ? pattern : QueryWord.quoted(pattern)
        case .exactly(let value):
            // A bare word would be a part of a name.
            if facet.isNamedInPart, value != Facet.none { return QueryWord.quoted(value) }
            // A media type's slash is no regular expression's.
            let isPlain = value.utf8.allSatisfy { ASCII.isToken($0) || $0 == UInt8(ascii: "/") }
            let isSpecial =
                value.contains("*") || value.hasPrefix("/") || MediaKind(rawValue: value) != nil
                || QueryWord.isForeign(value) || value.contains("&")
            return isPlain && !isSpecial && !value.isEmpty ? value : QueryWord.quoted(value)
        }
    }

    private static func digits(_ code: Int) -> String {
        let text = String(code)
        return String(repeating: "0", count: max(0, 3 - text.count)) + text
    }
}

extension TextPattern {
    fileprivate var text: String {
        switch form {
        case .contains: QueryWord.value(source)
        case .glob: source
        case .regex: "/\(source)/"
        }
    }
}

extension HeaderPattern {
    fileprivate var text: String {
        switch name {
        case .line(let pattern): pattern.text
        case .named(let pattern):
            value.map { "\(pattern.source)=\($0.text)" }
                ?? (QueryWord.isForeign(pattern.source) ? QueryWord.quoted(pattern.source) : pattern.source)
        }
    }
}

extension JSONPattern {
    fileprivate var text: String {
        switch condition {
        case .exists: path.text
        case .equals(let text): "\(path.text)=\(QueryWord.value(text))"
        case .like(let pattern): "\(path.text)=\(pattern.text)"
        case .compared(let sign, let number): "\(path.text)\(sign.rawValue)\(Condition.text(number))"
        }
    }
}

extension Moment {
    /// A point in time as `parse` reads it, to the microsecond.
    static func text(_ microseconds: Int64) -> String {
        let text = Timestamp.text(microseconds: microseconds)
        let rest = ((microseconds % 1000) + 1000) % 1000
        let digits = String(rest)
        return text.dropLast() + String(repeating: "0", count: 3 - digits.count) + digits + "Z"
    }
}
