/// A property whose values are counted: a category of the filter.
///
/// A facet is one declaration: its name, how to read its value and how to read what is wanted of it. The store keeps a column for each, pages and
/// tables draw a list for each, and each is a key of the query text.
package struct Facet: Hashable, Sendable {
    /// The key in the query text, the flag of the CLI and the name in JSON.
    package let name: String
    /// The heading for people.
    package let title: String
    /// A value to show in a message about this facet.
    package let example: String
    /// What its values are, for help and messages.
    package let values: String
    /// What stands between the values where an exchange may have several, each of which counts; `nil` where it has one.
    var separator: Character?
    /// Whether the list is left out where no exchange has a value.
    package var isOptional = false
    /// Reads a wanted value of the facet.
    let selector: @Sendable (FilterValue) throws(ValueProblem) -> FacetSelector
    /// The exchange's value, or the list of its values as one; never empty.
    package let value: @Sendable (ExchangeSummary) -> String

    package static func == (left: Facet, right: Facet) -> Bool { left.name == right.name }
    package func hash(into hasher: inout Hasher) { hasher.combine(name) }

    /// The outcomes that stand in the code facet for exchanges without a code, in their order.
    static let codeless = [Outcome.pending, .failed, .cancelled, .tunnelled].map(\.rawValue)

    /// The value of an exchange that has none: no scheme, no media type.
    package static let none = "none"

    /// The status code; where there is none, `pending`, `failed`, `cancelled` and `tunnelled` are values of their own.
    package static let code = Facet(
        name: "code",
        title: "Code",
        example: "404",
        values: "404, 5xx, 400-499, >=400, pending, \(noAnswer), cancelled, tunnelled",
        selector: FacetSelector.code
    ) { summary in
        if let code = summary.code { return String(code) }
        return summary.outcome == .completed ? Facet.none : summary.outcome.rawValue
    }
    /// The method, upper case: methods are compared without case.
    package static let method = Facet(
        name: "method",
        title: "Method",
        example: "GET",
        values: "GET, POST and so on, ignoring case",
        selector: FacetSelector.method
    ) { $0.method.isEmpty ? none : $0.method.uppercased() }
    /// The scheme of the URL.
    package static let scheme = Facet(
        name: "scheme",
        title: "Scheme",
        example: "https",
        values: "http, https, ws, wss, none",
        selector: FacetSelector.oneOf(Scheme.allCases.map(\.rawValue) + [none])
    ) { $0.scheme?.rawValue ?? none }
    /// The upstream's host.
    package static let host = Facet(
        name: "host",
        title: "Host",
        example: "api.example.test",
        values: "a host with all hosts under it, or a pattern with *",
        selector: FacetSelector.host
    ) { $0.host.isEmpty ? none : $0.host }
    /// The response's media type.
    package static let type = Facet(
        name: "type",
        title: "Type",
        example: "application/json",
        values: "\(MediaKind.allCases.map(\.rawValue).joined(separator: ", ")), a media type, none",
        selector: FacetSelector.type
    ) { $0.mediaType ?? none }
    /// The version on the client's side.
    package static let version = Facet(
        name: "version",
        title: "Version",
        example: "1.1",
        values: "1.0, 1.1, 2, 3, ws, none",
        selector: FacetSelector.version
    ) { $0.version?.rawValue ?? none }
    /// Pending, completed, failed, cancelled or tunnelled.
    package static let outcome = Facet(
        name: "outcome",
        title: "Outcome",
        example: "completed",
        values: Outcome.allCases.map(\.rawValue).joined(separator: ", "),
        selector: FacetSelector.oneOf(Outcome.allCases.map(\.rawValue))
    ) { $0.outcome.rawValue }

    /// The tags that people gave it; each counts by itself.
    package static let tag = Facet(
        name: "tag",
        title: "Tag",
        example: "slow",
        values: "a tag, a pattern with *, none",
        separator: ",",
        isOptional: true,
        selector: FacetSelector.word
    ) { $0.marks.tags.isEmpty ? none : Tag.joined($0.marks.tags) }

    /// The app that sent it, where a lens or an archive names one.
    package static let client = Facet(
        name: "client",
        title: "Client",
        example: "safari",
        values: "a word of an app's name, a whole name in quotes, a pattern with *, none",
        isOptional: true,
        selector: FacetSelector.name
    ) { $0.clientName.flatMap { $0.isEmpty ? nil : $0 } ?? none }
    /// The lens that reads it.
    package static let lens = Facet(
        name: "lens",
        title: "Lens",
        example: "json",
        values: "the name of a lens, a pattern with *, none",
        isOptional: true,
        selector: FacetSelector.word
    ) { $0.lens ?? none }

    /// The program of this machine that sent it.
    package static let process = Facet(
        name: "process",
        title: "Process",
        example: "curl",
        values: "a part of a program's name, a whole name in quotes, a pattern with *, none",
        isOptional: true,
        selector: FacetSelector.name
    ) { $0.process.flatMap { $0.isEmpty ? nil : $0 } ?? none }

    /// The rules that have something in its record; each counts by itself.
    package static let rule = Facet(
        name: "rule",
        title: "Rule",
        example: "staging",
        values: "the name of a rule, a pattern with *, none",
        separator: ruleSeparator,
        isOptional: true,
        selector: FacetSelector.word
    ) { summary in
        if summary.rules.isEmpty { return none }
        let names = summary.rules.joined(separator: String(ruleSeparator))
        return names.isEmpty ? none : names
    }

    /// The unit separator of ASCII: no name of a rule has a control character.
    private static let ruleSeparator: Character = "\u{1F}"

    /// Every facet, in the order they are shown.
    package static let all: [Facet] = [
        code, method, scheme, host, type, version, outcome, tag, client, lens, process, rule,
    ]

    /// Whether a bare word means every value that contains it; a word in quotes means the whole value.
    var isNamedInPart: Bool { self == .client || self == .process }

    /// Splits what `value` gave into single values.
    package func singles(_ value: String) -> [String] {
        guard let separator else { return [value] }
        return value.split(separator: separator).map(String.init)
    }

    /// Whether an exchange may have several values.
    package var isList: Bool { separator != nil }

    /// Whether a value, or one of a list, is meant by any of these.
    package func isMeant(_ value: String, by wanted: [FacetSelector]) -> Bool {
        guard isList else { return wanted.contains { $0.matches(value) } }
        return singles(value).contains { single in wanted.contains { $0.matches(single) } }
    }
}
