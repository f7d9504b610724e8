import Traffic

/// One method of a path: what a document says of its requests and responses.
struct OpenAPIOperation: Sendable {
    /// `GET /facilities/{id}`.
    var name: String
    var parameters: [OpenAPIParameter] = [] { didSet { queryNames = QueryNames(parameters) } }
    /// What they take of a query.
    private(set) var queryNames = QueryNames([])
    /// The request's body; `nil` where the document describes none.
    var body: OpenAPIContent?
    var isBodyRequired = false
    /// By status: `200`, `4XX`, `default`.
    var responses: [String: OpenAPIResponse] = [:]

    /// What is said of a status: the exact one before its hundred before all others.
    func response(_ code: Int) -> OpenAPIResponse? {
        responses["\(code)"] ?? responses["\(code / 100)XX"] ?? responses["default"]
    }
}

/// A response of an operation.
struct OpenAPIResponse: Sendable {
    /// Its key: `200`, `4XX`, `default`.
    var status: String
    /// Its body; `nil` where the document describes none.
    var body: OpenAPIContent?
    /// Its fields by name in lower case.
    var fields: [(name: String, parameter: OpenAPIParameter)] = []
}

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

/// A parameter in a request, or a field of a response.
struct OpenAPIParameter: Sendable {
    /// Where in a request it stands.
    enum Location: String, Sendable {
        case path, query, header, cookie
    }

    /// What tells a parameter from the others of an operation (OpenAPI 3.0.3 §4.7.12).
    struct Identity: Hashable {
        let name: String
        let location: Location
    }

    var name: String
    var location: Location
    var isRequired = false
    var schema: Schema.Number?
    /// Whether its value is a JSON text (`content` with a JSON type in the place of a schema).
    var isJSON = false
    /// How lists and objects are written, as in `form`, `simple` and `spaceDelimited`.
    var style: String
    /// Whether each element of a list has a name of its own.
    var isExploded: Bool
    /// Whether its schema takes objects and nothing else.
    var takesMembers = false
    /// Whether it may be empty whatever its schema says.
    var allowsEmptyValue = false

    /// Whether it is an object of which each member stands in the query by itself: `R=100&G=200`, `color[R]=100`.
    var isSpread: Bool {
        location == .query && !isJSON && (style == "deepObject" || takesMembers && style == "form" && isExploded)
    }

    var identity: Identity { Identity(name: name, location: location) }

    /// Whether something in the query is for it.
    func takes(_ name: String) -> Bool {
        location == .query && (self.name == name || style == "deepObject" && name.hasPrefix(self.name + "["))
    }
}
