import Traffic

/// The values of an `enum` or a `const`, found by their text: a body may hold as many as a document lists.
struct SchemaValues: Sendable {
    /// The first of them, for a message.
    let first: [JSONValue]
    let count: Int
    /// The types that there are among them.
    let kinds: JSONKind
    /// Each by the text that only the same values have.
    let texts: Set<String>

    init(_ values: [JSONValue]) {
        first = Array(values.prefix(8))
        count = values.count
        kinds = values.reduce(into: []) { $0.formUnion(JSONKind(of: $1)) }
        texts = Set(values.map(\.canonical))
    }

    /// The first of them in a few words each, for a message.
    var brief: String { first.map(\.brief).joined(separator: ", ") + (count > first.count ? " …" : "") }
}
