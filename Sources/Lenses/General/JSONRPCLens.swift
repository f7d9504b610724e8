package import Traffic

/// The lens of JSON-RPC calls, of version 2.0 or 1.0.
package struct JSONRPCLens: Lens {
    package let name = "json-rpc"
    package let title = "JSON-RPC"

    package init() {}

    package var grounds: LensGrounds { .body }

    package func recognizes(_ exchange: ExchangeOutline, by evidence: LensEvidence) -> Bool {
        guard case .body(let side, let body) = evidence else { return false }
        let isMarked = body.holds(Self.version)
        if side == .response { return isMarked && (body.holds(Self.result) || body.holds(Self.error)) }
        guard body.holds(Self.method) else { return false }
        return isMarked || body.holds(Self.params) && JSONRPCLens.isOldCall(body)
    }

    /// Whether a text is a call of version 1.0, which does not name its version.
    ///
    /// Such a call has a method, a list of parameters, an id, and nothing else (JSON-RPC 1.0 §1.1).
    ///
    /// Only the beginning of a long call is there, and the id may come after it.
    private static func isOldCall(_ body: BodyText) -> Bool {
        guard let (members, isWhole) = body.members else { return false }
        let names = Set(members.map(\.name))
        return names.isSubset(of: ["method", "params", "id"]) && names.isSuperset(of: ["method", "params"])
            && (!isWhole || names.contains("id"))
            && members.allSatisfy { member in
                switch member.name {
                case "method": member.first == UInt8(ascii: "\"")
                case "params": member.first == UInt8(ascii: "[")
                default: true
                }
            }
    }

    private static let version = BodyMark(member: "jsonrpc")
    private static let (result, error) = (BodyMark(member: "result"), BodyMark(member: "error"))
    private static let method = BodyMark(member: "method")
    private static let params = BodyMark(member: "params")

    package func view(_ capture: Capture) -> LensView {
        let calls = messages(capture.request)
        var view = LensView(of: self, request: "no call that can be read")
        if let first = calls.first {
            let words = Batch.words(calls, JSONRPCLens.words)
            view.request = calls.count == 1 ? words : "batch of \(calls.count): \(words)"
            view.sections.append(
                LensSection("Version", .fields([LensField("JSON-RPC", first["jsonrpc"]?.string ?? "1.0")]))
            )
        }
        for call in calls.prefix(Batch.shownLimit) {
            guard let params = call["params"], case let nodes = JSONShape.nodes(params), !nodes.isEmpty else {
                continue
            }
            let heading = "Parameters of \(call["method"]?.string ?? "?")"
            view.sections.append(LensSection(heading, .tree(nodes), isInBody: true))
        }
        if let more = Batch.rest(calls.count, "call") { view.sections.append(more) }
        guard let code = capture.exchange.code else { return view }
        respond(code, answers(capture), to: calls, capture, &view)
        return view
    }

    private func respond(
        _ code: Int,
        _ answers: [JSONValue],
        to calls: [JSONValue],
        _ capture: Capture,
        _ view: inout LensView
    ) {
        let errors = answers.compactMap { answer in
            answer["error"].flatMap { $0.isNull ? nil : (id: answer["id"], error: $0) }
        }
        let words = Batch.words(answers) { answer in
            if let error = answer["error"], !error.isNull { return "error \(JSONRPCLens.errorWords(error))" }
            return answer["result"].map { "result \(JSONShape.words($0))" } ?? "neither result nor error"
        }
        view.response =
            "\(code), " + (answers.isEmpty ? capture.response.isEmpty ? "no answer" : "no JSON" : words)
        if !errors.isEmpty {
            let rows = errors.lazy.map {
                [LensText($0.id.map { JSONShape.text($0) } ?? ""), LensText(JSONRPCLens.errorWords($0.error), .bad)]
            }
            view.sections.append(LensSection("Errors", .table(LensTable(columns: ["id", "error"], rows: rows))))
            if code < 400, let first = errors.first {
                let count =
                    answers.count > 1
                    ? "\(errors.count) of \(answers.count) calls failed, the first with" : "the call failed:"
                view.failure = "The answer says \(code), but \(count) \(JSONRPCLens.errorWords(first.error))."
            }
        }
        let answered = Set(answers.compactMap { $0["id"].map { JSONShape.text($0) } })
        let missing = calls.compactMap { $0["id"] }.filter { !$0.isNull && !answered.contains(JSONShape.text($0)) }
        if !missing.isEmpty, !answers.isEmpty {
            let shown = missing.prefix(Batch.shownLimit).map { JSONShape.text($0) }.joined(separator: ", ")
            let ids = shown + (missing.count > Batch.shownLimit ? ", … \(missing.count - Batch.shownLimit) more" : "")
            view.sections.append(LensSection("Unanswered", .fields([LensField("id", LensText(ids, .warning))])))
        }
        for answer in answers.prefix(Batch.shownLimit) {
            guard let result = answer["result"], case let nodes = JSONShape.nodes(result), !nodes.isEmpty else {
                continue
            }
            let isInBody = capture.exchange.mediaType != EventStream.type
            view.sections.append(LensSection("Result", .tree(nodes), isInBody: isInBody))
        }
        if let more = Batch.rest(answers.count, "answer") { view.sections.append(more) }
    }

    /// The answers, which may come as events among other messages of the server (MCP 2025-03-26, "Streamable HTTP").
    private func answers(_ capture: Capture) -> [JSONValue] {
        guard capture.exchange.mediaType == EventStream.type else { return messages(capture.response) }
        return JSONBound.values(EventStream.data(capture.response.bytes))
            .flatMap { $0.elements ?? [$0] }.filter { $0["result"] != nil || $0["error"] != nil }
    }

    private func messages(_ body: CapturedBody) -> [JSONValue] {
        guard !body.isEmpty, let value = try? body.shownJSON() else { return [] }
        return value.elements ?? [value]
    }

    /// `subtract #3 with list of 2 numbers`, `update (a notification)`.
    private static func words(_ call: JSONValue) -> String {
        let method = call["method"]?.string ?? "no method"
        let isNotification = call["id"].map { call["jsonrpc"] == nil && $0.isNull } ?? true
        let id = isNotification ? " (a notification)" : " #\(call["id"].map { JSONShape.text($0) } ?? "")"
        return method + id + (call["params"].map { " with \(JSONShape.words($0))" } ?? "")
    }

    /// `-32601 (method not found): No such method`.
    private static func errorWords(_ error: JSONValue) -> String {
        guard let code = error["code"]?.integer else { return JSONFailure.message(error) }
        let meaning = meaning(of: code).map { " (\($0))" } ?? ""
        return "\(code)\(meaning)" + (error["message"]?.string.map { ": \($0)" } ?? "")
    }

    /// The meaning of a code by the specification (JSON-RPC 2.0 §5.1); `nil` for a code that it does not define.
    static func meaning(of code: Int64) -> String? {
        switch code {
        case -32700: "parse error"
        case -32600: "invalid request"
        case -32601: "method not found"
        case -32602: "invalid params"
        case -32603: "internal error"
        case -32099 ... -32000: "server error"
        default: nil
        }
    }
}
