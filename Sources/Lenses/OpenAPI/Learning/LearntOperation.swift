import Traffic

/// The common form of the exchanges of one method of a path.
struct LearntOperation: Sendable {
    private var count = 0
    private var query = LearntFields()
    private var request = LearntContent()
    /// The responses, by their keys in a document: `200`, `default`.
    private var responses: [String: LearntContent] = [:]

    /// Adds an exchange.
    mutating func add(_ capture: Capture, _ mask: ExampleMask, room: inout Int) {
        let exchange = capture.exchange
        count += 1
        query.add(QueryString.items(exchange.target))
        request.add(exchange.request, capture.request, mask, room: &room)
        guard let code = exchange.code, let message = exchange.response, exchange.ownResponse == nil,
            exchange.outcome == .completed
        else { return }
        // For any other status a document has no key of its own (OpenAPI 3.1.0 §4.8.16).
        let status = (100...599).contains(code) ? "\(code)" : "default"
        responses[status, default: LearntContent()].add(message, capture.response, mask, room: &room)
    }

    mutating func join(_ other: LearntOperation) {
        count += other.count
        query.join(other.query)
        request.join(other.request)
        for (status, content) in other.responses { responses[status, default: LearntContent()].join(content) }
    }

    /// The marks that tell it from operations of other resources: its statuses, and the names in its answers.
    var marks: Set<String> {
        responses.reduce(into: []) { marks, response in
            for (type, body) in response.value.bodies {
                marks.formUnion(([""] + body.names).map { "\(response.key) \(type) \($0)" })
            }
            marks.insert("\(response.key)")
        }
    }

    /// The operation as an operation object.
    ///
    /// - Parameters:
    ///   - path: the parameters of its path.
    ///   - mask: the mask of examples.
    /// - Returns: the object.
    func document(path: [JSONValue], _ mask: ExampleMask) -> JSONValue {
        var operation: [(name: String, value: JSONValue)] = [
            ("summary", .string("Learnt from \(count.counted("exchange"))"))
        ]
        let parameters = path + query.parameters(mask)
        if !parameters.isEmpty { operation.append(("parameters", .array(parameters))) }
        if let content = request.document(mask) {
            operation.append(
                (
                    "requestBody",
                    .object((request.count == count ? [("required", .boolean(true))] : []) + [("content", content)])
                )
            )
        }
        let answers = responses.sorted { $0.key < $1.key }.map { status, content in
            let body = content.document(mask).map { [("content", $0)] } ?? []
            let reason = Int(status).map { LearntOperation.reasons[$0] ?? "Answer \($0)" }
            let description = JSONValue.string(reason ?? "Any other answer")
            return (name: status, value: JSONValue.object([("description", description)] + body))
        }
        // A document needs one.
        let none: [(name: String, value: JSONValue)] = [
            ("default", .object([("description", .string("No answer was captured"))]))
        ]
        operation.append(("responses", .object(answers.isEmpty ? none : answers)))
        return .object(operation)
    }

    /// The reason phrases of RFC 9110 §15 that answers mostly have.
    private static let reasons = [
        200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 206: "Partial Content", 301: "Moved Permanently",
        302: "Found", 303: "See Other", 304: "Not Modified", 307: "Temporary Redirect", 308: "Permanent Redirect",
        400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
        406: "Not Acceptable", 409: "Conflict", 410: "Gone", 415: "Unsupported Media Type",
        422: "Unprocessable Content", 429: "Too Many Requests", 500: "Internal Server Error", 502: "Bad Gateway",
        503: "Service Unavailable", 504: "Gateway Timeout",
    ]
}
