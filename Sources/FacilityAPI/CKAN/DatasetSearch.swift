import Foundation

/// A package search: words, field filters, order and window, read as the portal's search engine reads them.
struct DatasetSearch: Sendable {
    /// The most rows one answer holds, whatever is asked.
    static let rowLimit = 1_000

    private let terms: [Term]
    private let sort: String
    private let start: Int
    private let rows: Int
    private let facetFields: [String]

    /// One word or `field:value`, perhaps negated.
    private struct Term: Sendable {
        let field: String?
        let value: String
        let isNegated: Bool
    }

    /// Why parameters are refused: each with a sentence.
    struct Refusal: Error {
        let reasons: [JSON.Member]
    }

    /// Reads the parameters.
    ///
    /// - Throws: ``Refusal`` for numbers that are none.
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
        guard reasons.isEmpty else { throw Refusal(reasons: reasons) }
        rows = min(wantedRows, Self.rowLimit)
        start = wantedStart
        terms = Self.terms(query.value("q") ?? "") + Self.terms(query.value("fq") ?? "")
        sort = query.value("sort").flatMap { $0.isEmpty ? nil : $0 } ?? "score desc, metadata_modified desc"
        let facets = try? JSON(reading: Array((query.value("facet.field") ?? "[]").utf8))
        facetFields = (facets?.elements ?? []).compactMap(\.text)
    }

    /// The answer's `result`.
    func result(in datasets: [Dataset], json: (Dataset) -> JSON) -> JSON {
        let found = ordered(datasets.filter { dataset in terms.allSatisfy { Self.matches($0, dataset) } })
        let counted = facetFields.map { field in
            let values = found.flatMap { $0.values(of: field) ?? [] }
            let counts = Dictionary(grouping: values) { $0 }.mapValues(\.count)
                .sorted { ($1.value, $0.key) < ($0.value, $1.key) }
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

    private static func matches(_ term: Term, _ dataset: Dataset) -> Bool {
        let isFound: Bool
        if let field = term.field {
            isFound = dataset.values(of: field)?.contains(term.value) ?? false
        } else {
            let text = [dataset.title, dataset.notes, dataset.name] + dataset.tags + dataset.topics
            isFound = text.contains { $0.lowercased().contains(term.value.lowercased()) }
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
