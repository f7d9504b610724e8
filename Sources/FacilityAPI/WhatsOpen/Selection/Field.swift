/// A field that can be asked for in a query, by its Django name.
struct Field<Row: Sendable>: Sendable {
    /// The form that a value in the query must have.
    enum Kind: Sendable {
        case text
        case flag
        case moment
        /// One of some words; anything else selects nothing.
        case choice([String])
        /// Not a filter: only something to order by.
        case orderOnly
    }

    let name: String
    let kind: Kind
    /// The values of a row; several for a field of related rows.
    let values: @Sendable (Row) -> [FieldValue]

    init(_ name: String, _ kind: Kind = .text, values: @escaping @Sendable (Row) -> [FieldValue]) {
        self.name = name
        self.kind = kind
        self.values = values
    }

    /// The value that a query's text stands for; nil for a value that the field cannot have.
    func parsed(_ text: String, time: WallTime) -> FieldValue? {
        switch kind {
        case .text: return .text(text)
        case .choice(let words): return words.contains(text) ? .text(text) : nil
        case .moment: return time.date(reading: text).map { .moment($0) }
        case .flag:
            switch text.lowercased() {
            case "true", "1": return .flag(true)
            case "false", "0": return .flag(false)
            default: return nil
            }
        case .orderOnly: return nil
        }
    }
}
