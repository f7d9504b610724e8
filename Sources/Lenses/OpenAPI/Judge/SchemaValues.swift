import Traffic

/// The values of an `enum` or a `const`, indexed by their text: a body may hold as many as a document lists.
struct SchemaValues: Sendable {
    /// The first values, for a message.
    let first: [JSONValue]
    let count: Int
    /// The types of the values.
    let kinds: JSONKind
    /// The texts of the values, which only equal values share.
    let texts: Set<String>

    init(_ values: [JSONValue]) {
        first = Array(values.prefix(8))
        count = values.count
        kinds = values.reduce(into: []) { $0.formUnion(JSONKind(of: $1)) }
        texts = Set(values.map(\.canonical))
    }

    /// The first values in a few words each, for a message.
    var brief: String { first.map(\.brief).joined(separator: ", ") + (count > first.count ? " …" : "") }
}
