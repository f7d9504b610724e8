/// A method of a path, with the document's description of its requests and responses.
struct OpenAPIOperation: Sendable {
    /// `GET /facilities/{id}`.
    var name: String
    var parameters: [OpenAPIParameter] = [] { didSet { queryNames = QueryNames(parameters) } }
    /// The names that the parameters take from a query.
    private(set) var queryNames = QueryNames([])
    /// The request's body; `nil` where the document describes none.
    var body: OpenAPIContent?
    var isBodyRequired = false
    /// The responses, by status: `200`, `4XX`, `default`.
    var responses: [String: OpenAPIResponse] = [:]

    /// The response of a status: that of the exact status, else of its hundred, else the default.
    func response(_ code: Int) -> OpenAPIResponse? {
        responses["\(code)"] ?? responses["\(code / 100)XX"] ?? responses["default"]
    }
}
