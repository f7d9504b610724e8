/// A response of an operation.
struct OpenAPIResponse: Sendable {
    /// Its key: `200`, `4XX`, `default`.
    var status: String
    /// Its body; `nil` where the document describes none.
    var body: OpenAPIContent?
    /// Its fields by name in lower case.
    var fields: [(name: String, parameter: OpenAPIParameter)] = []
}
