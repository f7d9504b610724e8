/// A response of an operation.
struct OpenAPIResponse: Sendable {
    /// The response's key: `200`, `4XX`, `default`.
    var status: String
    /// The body; `nil` where the document describes none.
    var body: OpenAPIContent?
    /// The fields, by name in lower case.
    var fields: [(name: String, parameter: OpenAPIParameter)] = []
}
