import Traffic

/// A body by its media types.
struct OpenAPIContent: Sendable {
    /// A media type or a range of them, with its schema.
    struct Kind: Sendable {
        /// Lower case, without parameters.
        var range: String
        /// What tells it from others of its range: `version=2`.
        var parameters: [MediaType.Parameter] = []
        var schema: Schema.Number?
        /// How the fields of a form are written, where that is not as usual.
        var encodings: [String: OpenAPIParameter] = [:]
    }

    var kinds: [Kind]

    /// What is said of a media type: of itself, of its range, or of all; of several the one that has most of its parameters (RFC 9110 §12.5.1).
    ///
    /// Where there are several of a range, and each has parameters that the type has not, nothing is said of how it looks.
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

    /// Kinds that a sentence names.
    private static let namedLimit = 20

    /// `application/json or text/plain`.
    var sentence: String {
        let named = kinds.prefix(OpenAPIContent.namedLimit)
        let rest = kinds.count - named.count
        let names = named.map { $0.parameters.reduce($0.range) { "\($0);\($1.name)=\($1.value)" } }
        return (names + (rest > 0 ? ["\(rest) more"] : [])).joined(separator: " or ")
    }
}
