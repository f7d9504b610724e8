/// A rule's condition as an agent sees it: keys, names, numbers and plain words stay; a value that may be a secret does not.
///
/// A secret that is known is looked for by its exact bytes. A condition may have it in another case, escaped, or with `.` and `*` for some of its
/// signs, so that no search of a condition finds them all. So every text that messages are compared with is hidden.
package enum HiddenCondition {
    /// What stands for a value.
    private static let sign = "<hidden>"
    /// Bytes of a word that may be a secret: so many with a digit, or so many at all.
    private static let mixedLength = 5
    private static let plainLength = 20
    private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    private static let letters = UInt8(ascii: "a")...UInt8(ascii: "z")

    /// Hides the values of a condition that may be secrets.
    ///
    /// - Parameters:
    ///   - when: the condition, as it stands in the file.
    ///   - now: what `since:10m` counts back from: microseconds since 1970.
    /// - Returns: the condition itself where it has no such value.
    package static func text(of when: String, now: Int64) -> String {
        guard let filter = try? FilterParser.parse(when, now: now) else { return sign }
        let facets = Facet.all.compactMap { facet in
            filter.selections[facet.name].map { FilterCondition.test(.facet(facet, $0)) }
        }
        let texts = (facets + filter.conditions).map(text)
        guard texts.contains(where: { $0.contains(sign) }) else { return when }
        var rest = Filter()
        (rest.since, rest.before) = (filter.since, filter.before)
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
            [.path, .url].contains(line) && patterns.allSatisfy { isHarmless($0) }
                ? test.text : "\(line.rawValue):\(sign)"
        case .facet(let facet, let wanted):
            wanted.allSatisfy { isHarmless($0, in: facet) } ? test.text : "\(facet.name):\(sign)"
        case .number, .since, .before, .trait: test.text
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

    // MARK: what tells nothing

    /// Whether a value of a category is no secret: one of a few known ones, or plain words.
    private static func isHarmless(_ selector: FacetSelector, in facet: Facet) -> Bool {
        switch selector {
        case .codes, .kind: true
        case .like(let pattern): isHarmless(pattern)
        case .host(let name): isHarmless(name, divided: ".:")
        case .exactly(let value): ![.method, .client, .process, .tag, .rule].contains(facet) || isHarmless(value)
        }
    }

    private static func isHarmless(_ pattern: TextPattern) -> Bool {
        pattern.form != .regex && isHarmless(pattern.source)
    }

    /// Whether a text has nothing but short words.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - signs: what divides its words; whatever else joins them, such as the `-` of `correct-horse`, belongs to them.
    /// - Returns: whether no word may be a secret.
    private static func isHarmless(_ text: String, divided signs: String = "/: ") -> Bool {
        text.utf8.split { signs.utf8.contains($0) }.allSatisfy { word in
            let limit = word.contains(where: digits.contains) ? mixedLength : plainLength
            let isPlain = word.allSatisfy {
                letters.contains(ASCII.lower($0)) || digits.contains($0) || "-_.~*".utf8.contains($0)
            }
            // In a word, upper case is that of a random text.
            return isPlain && word.count < limit && word.dropFirst().allSatisfy { $0 == ASCII.lower($0) }
        }
    }
}
