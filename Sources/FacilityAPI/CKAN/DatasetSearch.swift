import Foundation

/// A package search: words, field filters, order and window, read as the portal's search engine reads them.
struct DatasetSearch: Sendable {
    /// The most rows one answer holds, whatever is asked.
    static let rowLimit = 1_000
    /// The most words and filters of one search, as Solr has it (`maxBooleanClauses`); more cannot be parsed.
    private static let termLimit = 1_024

    private let terms: [Term]
    private let sort: String
    private let start: Int
    private let rows: Int
    private let facetFields: [String]
    private let facetLimit: Int
    private let facetMinimum: Int

    /// One word or `field:value`, perhaps negated.
    private struct Term: Sendable {
        let field: String?
        let value: String
        let isNegated: Bool
    }

    /// A reason why a search is refused.
    enum Refusal: Error {
        /// Parameters are wrong, each with a sentence.
        case parameters([JSON.Member])
        /// The field to order by is unknown.
        case sort
        /// The search engine cannot parse the words or the filter, or there are too many.
        case syntax
    }

    /// Reads the parameters.
    ///
    /// - Throws: ``Refusal`` for numbers that are none, a sort by something unknown, and a quote or a group without an end.
    init(_ query: Query) throws(Refusal) {
        var reasons: [JSON.Member] = []
        func natural(_ name: String, default standard: Int) -> Int {
            guard let text = query.value(name), !text.isEmpty else { return standard }
            guard let number = Int(text) else {
                reasons.append(.init(name: name, value: ["Invalid integer"]))
                return standard
            }
            if number < 0 { reasons.append(.init(name: name, value: ["Must be a natural number"])) }
            return number
        }
        let wantedRows = natural("rows", default: 10)
        let wantedStart = natural("start", default: 0)
        facetLimit = natural("facet.limit", default: 50)
        facetMinimum = natural("facet.mincount", default: 1)
        guard reasons.isEmpty else { throw .parameters(reasons) }
        rows = min(wantedRows, Self.rowLimit)
        start = wantedStart
        for text in [query.value("q") ?? "", query.value("fq") ?? ""] where !Self.isParsable(text) { throw .syntax }
        terms = Self.terms(query.value("q") ?? "") + Self.terms(query.value("fq") ?? "")
        guard terms.count <= Self.termLimit else { throw .syntax }
        sort = query.value("sort").flatMap { $0.isEmpty ? nil : $0 } ?? "score desc, metadata_modified desc"
        guard Self.isSortable(sort) else { throw .sort }
        let facets =
            query.value("facet") == "false" ? nil : try? JSON(reading: Array((query.value("facet.field") ?? "[]").utf8))
        // Each value counts once, however often it is asked for.
        var named: Set<String> = []
        facetFields = (facets?.elements ?? []).compactMap(\.text).filter { named.insert($0).inserted }
    }

    /// The answer's `result`.
    func result(in datasets: [Dataset], json: (Dataset) -> JSON) -> JSON {
        let found = ordered(
            datasets.filter { dataset in
                let texts = Self.texts(of: dataset)
                return terms.allSatisfy { Self.matches($0, dataset, texts) }
            }
        )
        let counted = facetFields.map { field in
            let values = found.flatMap { $0.values(of: field) ?? [] }
            let counts = Dictionary(grouping: values) { $0 }.mapValues(\.count)
                .sorted { ($1.value, $0.key) < ($0.value, $1.key) }
                .filter { $0.value >= facetMinimum }.prefix(facetLimit)
            return (field, counts)
        }
        return [
            "count": .int(found.count), "sort": .string(sort),
            "facets": .object(
                counted.map { field, counts in
                    .init(name: field, value: .object(counts.map { .init(name: $0.key, value: .int($0.value)) }))
                }
            ),
            "results": .array(found.dropFirst(start).prefix(rows).map(json)),
            "search_facets": .object(
                counted.map { field, counts in
                    let items = counts.map { value, count -> JSON in
                        ["name": .string(value), "display_name": .string(value), "count": .int(count)]
                    }
                    return .init(name: field, value: ["title": .string(field), "items": .array(items)])
                }
            ),
        ]
    }

    /// Whether quotes and groups are closed.
    private static func isParsable(_ text: String) -> Bool {
        text.count { $0 == "\"" }.isMultiple(of: 2) && text.count { $0 == "(" } == text.count { $0 == ")" }
    }

    /// Whether every part of an order is a field and a direction.
    private static func isSortable(_ sort: String) -> Bool {
        sort.split(separator: ",").allSatisfy { part in
            let words = part.split(separator: " ")
            guard words.count <= 2, words.count < 2 || ["asc", "desc"].contains(words[1]) else { return false }
            return [
                "score", "metadata_modified", "metadata_created", "title", "title_string", "name", "last_refreshed",
            ].contains { $0 == words.first ?? "" }
        }
    }

    /// Splits at spaces outside quotes; a value may be quoted, an unquoted one ends at the next space.
    private static func terms(_ text: String) -> [Term] {
        text.matches(of: #/([+-]?)(?:([A-Za-z_.]+):)?(?:"([^"]*)"|([^\s"]+))/#).compactMap { match in
            let value = String(match.3 ?? match.4 ?? "")
            if match.2 == nil, ["AND", "*:*", "*"].contains(value) { return nil }
            if match.2 == nil, value == ":" || value.isEmpty { return nil }
            if value == "*" { return nil }
            return Term(field: match.2.map(String.init), value: value, isNegated: match.1 == "-")
        }
    }

    /// The text in which words are looked for, in lower case.
    private static func texts(of dataset: Dataset) -> [String] {
        ([dataset.title, dataset.notes, dataset.name] + dataset.tags + dataset.topics).map { $0.lowercased() }
    }

    private static func matches(_ term: Term, _ dataset: Dataset, _ texts: [String]) -> Bool {
        let isFound: Bool
        if let field = term.field {
            isFound = dataset.values(of: field)?.contains(term.value) ?? false
        } else {
            let wanted = term.value.lowercased()
            isFound = texts.contains { $0.contains(wanted) }
        }
        return isFound != term.isNegated
    }

    private func ordered(_ datasets: [Dataset]) -> [Dataset] {
        switch sort.split(separator: ",").first.map({ $0.trimmingCharacters(in: .whitespaces) }) {
        case "metadata_modified asc": datasets.sorted { $0.modified < $1.modified }
        case "title asc", "name asc", "title_string asc": datasets.sorted { $0.title < $1.title }
        case "title desc", "name desc", "title_string desc": datasets.sorted { $0.title > $1.title }
        default: datasets.sorted { $0.modified > $1.modified }
        }
    }
}
