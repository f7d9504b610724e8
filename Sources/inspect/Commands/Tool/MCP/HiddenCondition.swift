import Traffic

/// A rule's condition as an agent sees it where a value in it may be a secret that nobody told of: keys, names and what tells nothing stay.
enum HiddenCondition {
    /// What stands for a value.
    private static let sign = "<hidden>"

    /// Hides the values that texts of messages, fields and queries are compared with.
    ///
    /// - Parameters:
    ///   - when: the condition, as it stands in the file.
    ///   - now: what `since:10m` counts back from: microseconds since 1970.
    /// - Returns: the condition itself where it has no such value.
    static func text(of when: String, now: Int64) -> String {
        guard let filter = try? FilterParser.parse(when, now: now) else { return sign }
        let texts = filter.conditions.map(text)
        guard texts.contains(where: { $0.contains(sign) }) else { return when }
        var rest = Filter()
        (rest.since, rest.before) = (filter.since, filter.before)
        for facet in Facet.all {
            for selector in filter.selections[facet.name] ?? [] { rest.select(selector, in: facet) }
        }
        return ((rest.text.isEmpty ? [] : [rest.text]) + texts).joined(separator: " ")
    }

    private static func text(_ condition: FilterCondition) -> String {
        switch condition {
        case .not(let part): "-" + text(part)
        case .all(let parts): "(" + parts.map(text).joined(separator: " ") + ")"
        case .any(let parts): "(" + parts.map(text).joined(separator: " or ") + ")"
        case .test(let test): text(test)
        }
    }

    private static func text(_ test: FilterTest) -> String {
        switch test {
        case .header(let side, let patterns): "\(prefix(side))header:" + patterns.map(text).joined(separator: ",")
        case .body(let side, _): "\(prefix(side))body:\(sign)"
        case .json: "json:\(sign)"
        case .message: "message:\(sign)"
        case .text: sign
        case .line(let line, let patterns):
            line == .path || line == .url && !patterns.contains { $0.source.contains("?") }
                ? plain(.test(test)) : "\(line.rawValue):\(sign)"
        case .facet, .number, .since, .before, .trait: plain(.test(test))
        }
    }

    private static func text(_ pattern: HeaderPattern) -> String {
        guard case .named(let name) = pattern.name else { return sign }
        return pattern.value == nil ? name.source : "\(name.source)=\(sign)"
    }

    private static func prefix(_ side: MessageSide?) -> String {
        switch side {
        case .request: "req"
        case .response: "res"
        case nil: ""
        }
    }

    private static func plain(_ condition: FilterCondition) -> String { Filter(condition).text }
}
