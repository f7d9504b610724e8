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
