import Traffic

/// One method of a path: what a document says of its requests and responses.
struct OpenAPIOperation: Sendable {
    /// `GET /facilities/{id}`.
    var name: String
    var parameters: [OpenAPIParameter] = []
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
    /// A media type or a range of them, lower case without parameters, with its schema.
    struct Kind: Sendable {
        var range: String
        var schema: Schema.Number?
    }

    var kinds: [Kind]

    /// What is said of a media type: of itself, of its range, or of all.
    func kind(of essence: String) -> Kind? {
        let type = essence.prefix { $0 != "/" }
        return kinds.first { $0.range == essence } ?? kinds.first { $0.range == "\(type)/*" }
            ?? kinds.first { $0.range == "*/*" }
    }

    /// `application/json or text/plain`.
    var sentence: String { kinds.map(\.range).joined(separator: " or ") }
}

/// A parameter in a request, or a field of a response.
struct OpenAPIParameter: Sendable {
    /// Where in a request it stands.
    enum Location: String, Sendable {
        case path, query, header, cookie
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
    /// Whether its schema takes lists, or objects and nothing else.
    var isList = false
    var takesMembers = false
}
