/// A rule's condition as an agent sees it, where a value in it may be a secret: keys, names and what tells nothing stay.
package struct HiddenCondition {
    /// What stands for a value.
    private static let sign = "<hidden>"
    /// Letters and digits in a row that may be a secret: so many with a digit, or so many at all.
    private static let mixedLength = 8
    private static let plainLength = 24

    /// Whether a secret is known to be one where it stands as it is, so that only what stands otherwise is hidden.
    private let knowsAll: Bool

    /// Hides the values that texts of messages, fields, addresses and queries are compared with.
    ///
    /// - Parameters:
    ///   - when: the condition, as it stands in the file.
    ///   - now: what `since:10m` counts back from: microseconds since 1970.
    ///   - knowsAll: whether every secret is known, and found in a text; in an expression its signs may be escaped.
    /// - Returns: the condition itself where it has no such value.
    package static func text(of when: String, now: Int64, knowsAll: Bool = false) -> String {
        guard !knowsAll || when.contains("\\") else { return when }
        guard let filter = try? FilterParser.parse(when, now: now) else { return sign }
        let hidden = HiddenCondition(knowsAll: knowsAll)
        let texts = filter.conditions.map(hidden.text)
        guard texts.contains(where: { $0.contains(sign) }) else { return when }
        var rest = Filter()
        (rest.since, rest.before) = (filter.since, filter.before)
        for facet in Facet.all {
            for selector in filter.selections[facet.name] ?? [] { rest.select(selector, in: facet) }
        }
        return ((rest.text.isEmpty ? [] : [rest.text]) + texts).joined(separator: " ")
    }

    private func text(_ condition: FilterCondition) -> String {
        switch condition {
        case .not(let part): "-" + text(part)
        case .all(let parts): "(" + parts.map(text).joined(separator: " ") + ")"
        case .any(let parts): "(" + parts.map(text).joined(separator: " or ") + ")"
        case .test(let test): shows(test) ? Filter(condition).text : text(test)
        }
    }

    /// Whether a test may be shown as it is.
    private func shows(_ test: FilterTest) -> Bool {
        switch test {
        case .facet, .number, .since, .before, .trait: true
        case .line(.path, let patterns), .line(.url, let patterns):
            patterns.allSatisfy { isPlain($0) || isHarmless($0) }
        case .line(_, let patterns), .body(_, let patterns), .message(let patterns): patterns.allSatisfy(isPlain)
        case .text(let pattern): isPlain(pattern)
        case .header(_, let patterns): patterns.allSatisfy { isPlain($0) }
        case .json: knowsAll
        }
    }

    private func isPlain(_ pattern: TextPattern) -> Bool { knowsAll && !pattern.source.contains("\\") }

    private func isPlain(_ pattern: HeaderPattern) -> Bool {
        switch pattern.name {
        case .line(let line): isPlain(line)
        case .named: pattern.value.map(isPlain) ?? true
        }
    }

    /// Whether an address that it asks for has no query, and no word that may be a secret.
    private func isHarmless(_ pattern: TextPattern) -> Bool {
        let source = pattern.source.utf8.filter { $0 != UInt8(ascii: "\\") }
        guard !source.contains(UInt8(ascii: "?")), !source.contains(UInt8(ascii: "=")) else { return false }
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        return source.split { !digits.contains($0) && !letters.contains($0 | 0x20) }
            .allSatisfy { word in
                word.count < (word.contains(where: digits.contains) ? Self.mixedLength : Self.plainLength)
            }
    }

    private func text(_ test: FilterTest) -> String {
        switch test {
        case .header(let side, let patterns): "\(prefix(side))header:" + patterns.map(text).joined(separator: ",")
        case .body(let side, _): "\(prefix(side))body:\(Self.sign)"
        case .json: "json:\(Self.sign)"
        case .message: "message:\(Self.sign)"
        case .line(let line, _): "\(line.rawValue):\(Self.sign)"
        case .text, .facet, .number, .since, .before, .trait: Self.sign
        }
    }

    private func text(_ pattern: HeaderPattern) -> String {
        guard case .named(let name) = pattern.name else { return Self.sign }
        return pattern.value == nil ? name.source : "\(name.source)=\(Self.sign)"
    }

    private func prefix(_ side: MessageSide?) -> String {
        switch side {
        case .request: "req"
        case .response: "res"
        case nil: ""
        }
    }
}
