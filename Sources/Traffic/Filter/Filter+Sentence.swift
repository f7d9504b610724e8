/// A filter in English.
extension Filter {
    /// One sentence without its full stop: `exchanges with code 404 and method GET`; `every exchange` without anything selected.
    package var sentence: String {
        var parts: [String] = []
        for facet in Facet.all {
            guard let wanted = selections[facet.name], !wanted.isEmpty else { continue }
            parts.append(FilterTest.facet(facet, wanted).sentence(isNegated: false))
        }
        if let since { parts.append(FilterTest.since(since).sentence(isNegated: false)) }
        if let before { parts.append(FilterTest.before(before).sentence(isNegated: false)) }
        parts += conditions.map { $0.sentence(isNegated: false) }
        return parts.isEmpty ? "every exchange" : "exchanges where " + parts.joined(separator: " and ")
    }
}

extension FilterCondition {
    /// The condition in English, or its contrary.
    func sentence(isNegated: Bool) -> String {
        switch self {
        case .test(let test): return test.sentence(isNegated: isNegated)
        case .not(let part): return part.sentence(isNegated: !isNegated)
        case .all(let parts):
            return FilterCondition.joined(parts, isNegated, isNegated ? "or" : "and", "always", "never")
        case .any(let parts):
            return FilterCondition.joined(parts, isNegated, isNegated ? "and" : "or", "never", "always")
        }
    }

    /// A list; the negation of one is the other kind of list with every part negated.
    private static func joined(
        _ parts: [FilterCondition],
        _ isNegated: Bool,
        _ word: String,
        _ empty: String,
        _ emptyNegated: String
    ) -> String {
        guard !parts.isEmpty else { return isNegated ? emptyNegated : empty }
        let texts = parts.map { $0.sentence(isNegated: isNegated) }
        return "(" + texts.joined(separator: " \(word) ") + ")"
    }
}

extension FilterTest {
    fileprivate func sentence(isNegated: Bool) -> String {
        let be = isNegated ? "is not" : "is"
        switch self {
        case .facet(let facet, let wanted):
            return "the \(facet.name) \(be) " + FilterTest.either(wanted.map { FilterTest.words($0, facet) })
        case .number(let number, let ranges):
            return "\(number.title) \(be) " + FilterTest.either(ranges.map { FilterTest.words($0, number.unit) })
        case .since(let time):
            return "it \(isNegated ? "began before" : "began at or after") \(Timestamp.text(microseconds: time))"
        case .before(let time):
            return "it \(isNegated ? "began at or after" : "began before") \(Timestamp.text(microseconds: time))"
        case .line(let line, let patterns): return FilterTest.words(line.title, patterns, isNegated)
        case .header(let side, let patterns):
            let fields = FilterTest.either(patterns.map(FilterTest.words))
            return "\(FilterTest.whose(side, "message")) has \(isNegated ? "no" : "a") field \(fields)"
        case .body(let side, let patterns): return FilterTest.words(FilterTest.whose(side, "body"), patterns, isNegated)
        case .json(let patterns):
            let values = FilterTest.either(patterns.map(FilterTest.words))
            return "\(isNegated ? "no" : "a") JSON body has \(values)"
        case .message(let patterns):
            return FilterTest.words(isNegated ? "no message" : "a message", patterns, false)
        case .trait(let traits):
            return "it \(be) " + FilterTest.either(traits.map(\.title))
        case .text(let pattern):
            return
                "its URL, fields, bodies or messages \(isNegated ? "do not " : "")\(FilterTest.verb(pattern, isPlural: true)) \"\(pattern.source)\""
        }
    }

    /// `a`, `a or b`, `a, b or c`.
    private static func either(_ parts: [String]) -> String {
        guard let last = parts.last, parts.count > 1 else { return parts.first ?? "nothing" }
        return parts.dropLast().joined(separator: ", ") + " or " + last
    }

    private static func whose(_ side: MessageSide?, _ what: String) -> String {
        side.map { "the \($0.rawValue)'s \(what)" } ?? "a \(what)"
    }

    private static func words(_ what: String, _ patterns: [TextPattern], _ isNegated: Bool) -> String {
        let texts = patterns.map { "\(isNegated ? "does not " : "")\(verb($0, isPlural: isNegated)) \"\($0.source)\"" }
        return "\(what) " + (isNegated ? texts.joined(separator: " and ") : either(texts))
    }

    private static func verb(_ pattern: TextPattern, isPlural: Bool) -> String {
        switch pattern.form {
        case .contains: isPlural ? "contain" : "contains"
        case .glob: isPlural ? "look like" : "looks like"
        case .regex: isPlural ? "match" : "matches"
        }
    }

    private static func words(_ selector: FacetSelector, _ facet: Facet) -> String {
        switch selector {
        case .exactly(let value): facet.label(selector.namedValue(in: facet) ?? value)
        case .codes(let range): "from \(range.lowerBound) to \(range.upperBound)"
        case .host(let host): host.contains("*") ? "like \(host)" : "\(host) or under it"
        case .kind(let kind): "of the \(kind.rawValue) family"
        case .like(let pattern):
            switch pattern.form {
            case .contains: "with \"\(pattern.source)\" in it"
            case .glob: "like \(pattern.source)"
            case .regex: "matching \"\(pattern.source)\""
            }
        }
    }

    private static func words(_ range: ClosedRange<Int64>, _ unit: Quantity.Unit) -> String {
        let (low, high) = (range.lowerBound, range.upperBound)
        if low == high { return amount(low, unit) }
        // `>500ms` is held as 500001 µs and more.
        if high == .max {
            return unit != .plain && low % 1_000 == 1
                ? "more than \(amount(low - 1, unit))" : "at least \(amount(low, unit))"
        }
        if low == 0 {
            return unit != .plain && high % 1_000 == 999
                ? "less than \(amount(high + 1, unit))" : "at most \(amount(high, unit))"
        }
        return "from \(amount(low, unit)) to \(amount(high, unit))"
    }

    /// A number with its unit, the largest that leaves it whole.
    private static func amount(_ number: Int64, _ unit: Quantity.Unit) -> String {
        switch unit {
        case .plain: "\(number)"
        case .bytes: "\(number) bytes"
        case .time where number != 0 && number % 1_000_000 == 0: "\(number / 1_000_000) s"
        case .time where number != 0 && number % 1_000 == 0: "\(number / 1_000) ms"
        case .time: "\(number) µs"
        }
    }

    private static func words(_ header: HeaderPattern) -> String {
        switch header.name {
        case .line(let pattern): "that matches \"\(pattern.source)\""
        case .named(let pattern):
            pattern.source + (header.value.map { " that \(verb($0, isPlural: false)) \"\($0.source)\"" } ?? "")
        }
    }

    private static func words(_ json: JSONPattern) -> String {
        switch json.condition {
        case .exists: json.path.text
        case .equals(let text): "\(json.path.text) equal to \"\(text)\""
        case .like(let pattern): "\(json.path.text) that \(verb(pattern, isPlural: false)) \"\(pattern.source)\""
        case .compared(let sign, let number): "\(json.path.text) \(sign.rawValue) \(JSONPattern.Condition.text(number))"
        }
    }
}

extension FilterNumber {
    fileprivate var title: String {
        switch self {
        case .port: "the port"
        case .size: "the response's body"
        case .reqsize: "the request's body"
        case .time: "the duration"
        case .id: "the number"
        }
    }
}

extension FilterLine {
    fileprivate var title: String {
        switch self {
        case .path: "the path"
        case .url: "the URL"
        case .query: "the query"
        case .session: "the session's name"
        case .note: "the note"
        }
    }
}

extension FilterTrait {
    fileprivate var title: String {
        switch self {
        case .replay: "a replay"
        case .truncated: "kept only in part"
        case .websocket: "a WebSocket"
        case .favourite: "a favourite"
        case .failedInside: "a success that failed inside"
        case .modified: "changed by a rule"
        }
    }
}
