package import Traffic

/// The lens of GraphQL over HTTP.
package struct GraphQLLens: Lens {
    package let name = "graphql"
    package let title = "GraphQL"

    package init() {}

    package var grounds: LensGrounds { [.heads, .body] }

    package func recognizes(_ exchange: ExchangeOutline, by evidence: LensEvidence) -> Bool {
        switch evidence {
        case .heads:
            if exchange.parts.last == "graphql" || exchange.requestType == "application/graphql" { return true }
            if exchange.responseType == "application/graphql-response+json" { return true }
            guard exchange.queryHolds(Self.parameter) else { return false }
            let items = QueryString.items(exchange.exchange.target)
            return items.contains { $0.name == "query" && GraphQLDocument.begins($0.value) }
        case .body(.request, let body): return body.texts(of: Self.query).contains(where: GraphQLDocument.begins)
        default: return false
        }
    }

    private static let query = BodyMark(member: "query")
    private static let parameter = Array("query=".utf8)

    package func view(_ capture: Capture) -> LensView {
        let calls = GraphQLCall.calls(capture)
        var view = LensView(of: self, request: "no operation that can be read")
        if !calls.isEmpty {
            let words = Batch.words(calls, \.words)
            view.request = calls.count == 1 ? words : "batch of \(calls.count): \(words)"
        }
        for (index, call) in calls.prefix(Batch.shownLimit).enumerated() {
            let heading = calls.count == 1 ? "Operation" : "Operation \(index + 1)"
            view.sections.append(LensSection(heading, .fields(fields(call))))
            if let variables = call.variables {
                let nodes = JSONShape.nodes(variables)
                let isInBody = GraphQLLens.isJSONBody(capture)
                if !nodes.isEmpty { view.sections.append(LensSection("Variables", .tree(nodes), isInBody: isInBody)) }
            }
            if let document = call.document { view.sections.append(LensSection("Document", .text(document))) }
        }
        if let more = Batch.rest(calls.count, "operation") { view.sections.append(more) }
        respond(calls, capture, &view)
        return view
    }

    /// Whether the request's body is the JSON of its calls, and neither a form nor the query of a GET is.
    private static func isJSONBody(_ capture: Capture) -> Bool {
        // Some clients name the type with a GET too.
        capture.exchange.method != "GET" && !capture.request.isEmpty
            && MediaType(capture.requestField("Content-Type"))?.isJSON == true
    }

    private func fields(_ call: GraphQLCall) -> [LensField] {
        var fields: [LensField] = []
        if let operation = call.operation {
            fields.append(LensField("type", operation.kind))
            fields.append(LensField("fields", operation.fields.joined(separator: ", ")))
        }
        if let name = call.operation?.name ?? call.operationName { fields.append(LensField("name", name)) }
        if let digest = call.digest { fields.append(LensField("persisted as", digest)) }
        if let document = call.document {
            let fragments = GraphQLDocument(document).fragments
            if !fragments.isEmpty { fields.append(LensField("fragments", fragments.joined(separator: ", "))) }
        }
        return fields
    }

    private func respond(_ calls: [GraphQLCall], _ capture: Capture, _ view: inout LensView) {
        guard let code = capture.exchange.code else { return }
        view.response = "\(code)"
        guard !capture.response.isEmpty else { return }
        guard let results = GraphQLLens.results(capture) else {
            view.response = "\(code), no JSON"
            // A page for people is no answer, and no client that wants data asks for one.
            if code < 400, !calls.isEmpty, !GraphQLLens.isPage(capture) {
                view.failure = "The answer says \(code), but it is no JSON."
            }
            return
        }
        let errors = results.flatMap(GraphQLLens.errors)
        view.response = "\(code), \(Batch.words(results, GraphQLLens.shape))"
        if !errors.isEmpty {
            view.response? += ", \(errors.count.counted("error"))"
            let rows = errors.lazy.map { error in
                [
                    LensText(GraphQLLens.path(error), .faint), LensText(JSONFailure.message(error), .bad),
                    LensText(error["extensions"]?["code"].map { JSONShape.text($0) } ?? ""),
                ]
            }
            view.sections.append(
                LensSection("Errors", .table(LensTable(columns: ["path", "message", "code"], rows: rows)))
            )
            let first = errors.first.map(JSONFailure.message) ?? ""
            if code < 400 {
                view.failure = "The answer says \(code), but has \(errors.count.counted("error")): \(first)."
            }
        }
        for result in results.prefix(Batch.shownLimit) {
            if let data = result["data"], case let nodes = JSONShape.nodes(data), !nodes.isEmpty {
                let isInBody = MediaType(capture.exchange.mediaType)?.isJSON == true
                view.sections.append(LensSection("Data", .tree(nodes), isInBody: isInBody))
            }
        }
        if let more = Batch.rest(results.count, "result") { view.sections.append(more) }
    }

    /// The results of an answer: a single one, or those of a batch, of its parts (`@defer`) or of its events (subscriptions).
    private static func results(_ capture: Capture) -> [JSONValue]? {
        switch capture.exchange.mediaType {
        case EventStream.type?: return JSONBound.values(EventStream.data(capture.response.bytes))
        case "multipart/mixed"?:
            return MultipartBody.mixed(capture).map { parts in JSONBound.values(parts.lazy.map { Array($0.bytes) }) }
        default:
            guard let value = try? capture.response.shownJSON() else { return nil }
            return value.elements ?? [value]
        }
    }

    /// The errors of a result; a later part has them in `incremental`, and an event may have the result in its `payload`.
    private static func errors(_ result: JSONValue) -> [JSONValue] {
        let own = [result["errors"], result["payload"]?["errors"]].flatMap(JSONFailure.errors)
        return own + (result["incremental"]?.elements ?? []).flatMap { JSONFailure.errors($0["errors"]) }
    }

    private static func shape(_ result: JSONValue) -> String {
        if let data = result["data"] ?? result["payload"]?["data"] { return JSONShape.words(data) }
        return result["incremental"]?.elements.map { $0.count.counted("later part") } ?? "no data"
    }

    /// Whether the answer is a page, and the client asked for a page.
    ///
    /// An API's own page has the API's address, and a browser opens the page with its query in the address.
    ///
    /// A client that sends a call in a body, or that accepts JSON too, asked for data.
    private static func isPage(_ capture: Capture) -> Bool {
        guard capture.exchange.mediaType == "text/html", ["GET", "HEAD"].contains(capture.exchange.method) else {
            return false
        }
        let accepted = (capture.requestField("Accept") ?? "").split(separator: ",").compactMap { MediaType(String($0)) }
        return accepted.contains { $0.essence == "text/html" } && !accepted.contains(where: \.isJSON)
    }

    /// The place of an error in the answer: `facilities.3.name`.
    private static func path(_ error: JSONValue) -> String {
        error["path"]?.elements?.map { JSONShape.text($0) }.joined(separator: ".") ?? ""
    }
}
