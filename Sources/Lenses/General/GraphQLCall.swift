import Traffic

/// A call of GraphQL over HTTP: a document or its digest, with the operation's name and variables.
struct GraphQLCall {
    /// The document's text; `nil` where only its digest was sent.
    let document: String?
    let operationName: String?
    /// The values of the variables; `nil` where there are none.
    let variables: JSONValue?
    /// The SHA-256 of a persisted document.
    let digest: String?

    /// The calls of a request: one, or those of a batch; empty where the request holds no call.
    static func calls(_ capture: Capture) -> [GraphQLCall] {
        if capture.request.isEmpty || capture.exchange.method == "GET" {
            return [call(FormItem.items(ofTarget: capture.exchange.target))].compactMap { $0 }
        }
        switch MediaType(capture.requestField("Content-Type"))?.essence {
        case "application/x-www-form-urlencoded"?:
            return [call(FormItem.items(capture.request.text))].compactMap { $0 }
        case "application/graphql"?:
            return [GraphQLCall(.object([(name: "query", value: .string(capture.request.text))]))].compactMap { $0 }
        default:
            guard let value = json(capture) else { return [] }
            return (value.elements ?? [value]).compactMap(GraphQLCall.init)
        }
    }

    /// The call of a query or a form, whose fields are named as the members of a call in JSON are.
    private static func call(_ items: [FormItem]) -> GraphQLCall? {
        func value(_ name: String) -> String? { items.last { $0.name == name }?.value }
        func json(_ name: String) -> JSONValue? { value(name).flatMap { try? JSONBound.value(Array($0.utf8)) } }
        let members = [
            value("query").map { (name: "query", value: JSONValue.string($0)) },
            value("operationName").map { (name: "operationName", value: JSONValue.string($0)) },
            json("variables").map { (name: "variables", value: $0) },
            json("extensions").map { (name: "extensions", value: $0) },
        ]
        return GraphQLCall(.object(members.compactMap { $0 }))
    }

    /// A request's JSON; in a form with files that is the part `operations` (GraphQL multipart request specification).
    private static func json(_ capture: Capture) -> JSONValue? {
        let type = MediaType(capture.requestField("Content-Type"))
        guard type?.essence == "multipart/form-data" else { return try? capture.request.shownJSON() }
        let boundary = type?.parameters.first { $0.name == "boundary" }?.value
        let parts = MultipartBody.parts(capture.request.bytes, boundary: boundary) ?? []
        return parts.first { $0.name == "operations" }.flatMap { try? JSONBound.value(Array($0.bytes)) }
    }

    /// Reads a call; `nil` where the value has no document, no digest and no operation's name.
    init?(_ value: JSONValue) {
        document = value["query"]?.string
        operationName = value["operationName"]?.string
        variables = value["variables"].flatMap { $0.isNull ? nil : $0 }
        digest = value["extensions"]?["persistedQuery"]?["sha256Hash"]?.string ?? value["documentId"]?.string
        guard document != nil || digest != nil || operationName != nil else { return nil }
    }

    /// The operation of the call's name, else the document's first; `nil` where no document has an operation.
    var operation: GraphQLDocument.Operation? {
        let operations = document.map { GraphQLDocument($0).operations } ?? []
        return operations.first { $0.name == operationName && operationName != nil } ?? operations.first
    }

    /// `query Facilities: facilities, alerts`.
    var words: String {
        guard let operation else {
            let name = operationName.map { " \($0)" } ?? ""
            return digest == nil ? "operation\(name)" : "persisted operation\(name)"
        }
        let head = ([operation.kind] + [operation.name ?? operationName].compactMap { $0 }).joined(separator: " ")
        return operation.fields.isEmpty ? head : "\(head): \(operation.fields.joined(separator: ", "))"
    }
}
