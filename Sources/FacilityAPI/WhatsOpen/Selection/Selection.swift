import Foundation

/// The selection of rows by a query: exact filters, then search, then ordering.
struct Selection<Row: Sendable>: Sendable {
    let fields: [Field<Row>]
    let time: WallTime

    /// The rows a query asks for, in the order it asks for; without one, in the order they came.
    ///
    /// A filter with a value its field cannot have selects nothing; an unknown parameter is ignored; an empty value is no filter.
    func rows(_ rows: [Row], matching query: Query) -> [Row] {
        var selected = rows
        for field in fields {
            if case .orderOnly = field.kind { continue }
            guard let text = query.value(field.name), !text.isEmpty else { continue }
            guard let wanted = field.parsed(text, time: time) else { return [] }
            selected = selected.filter { field.values($0).contains(wanted) }
        }
        selected = searched(selected, for: query.value("search") ?? "")
        return ordered(selected, by: query.value("ordering") ?? "")
    }

    /// Every term must be found somewhere, ignoring case; terms are split at spaces and commas.
    private func searched(_ rows: [Row], for text: String) -> [Row] {
        let terms = text.split { $0 == "," || $0.isWhitespace }.map { $0.lowercased() }
        guard !terms.isEmpty else { return rows }
        return rows.filter { row in
            let texts = fields.flatMap { field -> [String] in
                field.values(row).compactMap { value in
                    switch value {
                    case .text(let text): text.lowercased()
                    case .moment(let date?): time.rfc3339(date).lowercased()
                    default: nil
                    }
                }
            }
            return terms.allSatisfy { term in texts.contains { $0.contains(term) } }
        }
    }

    /// Orders by the named fields, `-` reversing one; unknown names are passed over.
    private func ordered(_ rows: [Row], by text: String) -> [Row] {
        let keys = text.split(separator: ",").compactMap { part -> (field: Field<Row>, isReversed: Bool)? in
            let name = part.trimmingCharacters(in: .whitespaces)
            let isReversed = name.hasPrefix("-")
            let bare = isReversed ? String(name.dropFirst()) : name
            return fields.first { $0.name == bare }.map { ($0, isReversed) }
        }
        guard !keys.isEmpty else { return rows }
        return rows.enumerated().sorted { left, right in
            for key in keys {
                let order = Self.compare(
                    key.field.values(left.element).first,
                    key.field.values(right.element).first
                )
                if order != .orderedSame { return (order == .orderedAscending) != key.isReversed }
            }
            return left.offset < right.offset
        }.map(\.element)
    }

    /// A missing value comes before any other, as in the database.
    private static func compare(_ left: FieldValue?, _ right: FieldValue?) -> ComparisonResult {
        func compare<T: Comparable>(_ left: T, _ right: T) -> ComparisonResult {
            left < right ? .orderedAscending : left > right ? .orderedDescending : .orderedSame
        }
        switch (left, right) {
        case (.text(let left)?, .text(let right)?): return compare(left.lowercased(), right.lowercased())
        case (.number(let left)?, .number(let right)?): return compare(left, right)
        case (.flag(let left)?, .flag(let right)?): return compare(left ? 1 : 0, right ? 1 : 0)
        case (.moment(let left)?, .moment(let right)?):
            return compare(
                left?.timeIntervalSince1970 ?? -.infinity,
                right?.timeIntervalSince1970 ?? -.infinity
            )
        default: return compare(left == nil ? 0 : 1, right == nil ? 0 : 1)
        }
    }
}
