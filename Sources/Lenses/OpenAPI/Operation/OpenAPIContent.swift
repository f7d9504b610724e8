import Traffic

/// The description of a body, by its media types.
struct OpenAPIContent: Sendable {
    /// A media type, or a range of media types, with its schema.
    struct Kind: Sendable {
        /// The media type or range, in lower case and without parameters.
        var range: String
        /// The parameters that tell it from others of the same range: `version=2`.
        var parameters: [MediaType.Parameter] = []
        var schema: Schema.Number?
        /// The encodings of a form's fields that are not written in the usual way.
        var encodings: [String: OpenAPIParameter] = [:]
    }

    var kinds: [Kind]

    /// The kind of a media type: its own, that of its range, or that of all; among several the one with most of its parameters (RFC 9110 §12.5.1).
    ///
    /// Where several kinds have the range, and each has parameters that the type lacks, the result has no schema.
    func kind(of type: MediaType?) -> Kind? {
        let essence = type?.essence ?? "application/octet-stream"
        let ranges = [essence, "\(essence.prefix { $0 != "/" })/*", "*/*"]
        guard let range = ranges.first(where: { range in kinds.contains { $0.range == range } }) else { return nil }
        let own = kinds.filter { $0.range == range }
        let fitting = own.filter { kind in
            kind.parameters.allSatisfy { wanted in
                type?.parameters.contains { $0 == wanted } == true
            }
        }
        if let best = fitting.max(by: { $0.parameters.count < $1.parameters.count }) { return best }
        return own.count == 1 ? own.first : Kind(range: range)
    }

    /// The most kinds that a sentence names.
    private static let namedLimit = 20

    /// `application/json or text/plain`.
    var sentence: String {
        let named = kinds.prefix(OpenAPIContent.namedLimit)
        let rest = kinds.count - named.count
        let names = named.map { $0.parameters.reduce($0.range) { "\($0);\($1.name)=\($1.value)" } }
        return (names + (rest > 0 ? ["\(rest) more"] : [])).joined(separator: " or ")
    }
}
