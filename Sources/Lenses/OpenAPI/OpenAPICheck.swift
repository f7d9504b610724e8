import Foundation
package import Traffic

/// A check of captures against an OpenAPI document.
package struct OpenAPICheck: Sendable {
    /// The result of checking a capture.
    package struct Result: Sendable {
        /// Whether the document describes the capture.
        package var isDescribed = true
        package var findings: [CheckFinding] = []
        /// What could not be checked, a sentence each.
        package var unchecked: [String] = []
        /// The work that is left for the parts that are not checked yet.
        var budget: SchemaBudget
    }

    let document: OpenAPIDocument
    private let takesAnyHost: Bool

    /// - Parameters:
    ///   - document: the document that captures are checked against.
    ///   - takesAnyHost: whether a server that the document does not name counts as one of its servers.
    package init(_ document: OpenAPIDocument, takesAnyHost: Bool = false) {
        self.document = document
        self.takesAnyHost = takesAnyHost
    }

    /// The parts of the document that are not checked, a sentence each.
    package var notes: [String] { document.unchecked }

    /// Checks one capture.
    ///
    /// Tunnels and requests that could not be read are described by no document.
    package func check(_ capture: Capture) -> Result { check(capture, within: SchemaBudget()) }

    /// The same with another budget.
    func check(_ capture: Capture, within budget: SchemaBudget) -> Result {
        var result = Result(budget: budget)
        let exchange = capture.exchange
        guard exchange.scheme == .http || exchange.scheme == .https, exchange.target.hasPrefix("/") else {
            result.isDescribed = false
            return result
        }
        switch document.place(of: capture, anyHost: takesAnyHost) {
        case .elsewhere: result.isDescribed = false
        case .noPath:
            // A browser's preflight is about the path's other methods.
            if !OpenAPICheck.isPreflight(capture) {
                result.add(OpenAPIRules.path, in: .request, "The document has no path for \(capture.path).")
            }
        case .path(let path, let values):
            guard let operation = operation(of: path, capture, &result) else { return result }
            checkParameters(of: operation, values, capture, &result)
            checkRequestBody(of: operation, capture, &result)
            checkResponse(of: operation, capture, &result)
        }
        return result
    }

    /// The operation of the method; a HEAD that the document does not name counts as a GET without a body (RFC 9110 §9.3.2).
    private func operation(
        of path: OpenAPIDocument.Path,
        _ capture: Capture,
        _ result: inout Result
    ) -> OpenAPIOperation? {
        let method = capture.exchange.method
        if let operation = path.operations[method] ?? (method == "HEAD" ? path.operations["GET"] : nil) {
            return operation
        }
        guard !OpenAPICheck.isPreflight(capture) else { return nil }
        let known = path.operations.keys.sorted().joined(separator: ", ")
        result.add(
            OpenAPIRules.method,
            in: .request,
            "\(path.template.source) has no \(method); it has \(known.isEmpty ? "no method" : known)."
        )
        return nil
    }

    private static func isPreflight(_ capture: Capture) -> Bool {
        capture.exchange.method == "OPTIONS" && capture.requestField("Access-Control-Request-Method") != nil
    }

    private func checkRequestBody(of operation: OpenAPIOperation, _ capture: Capture, _ result: inout Result) {
        let exchange = capture.exchange
        guard exchange.request.body.length > 0 else {
            if operation.isBodyRequired {
                result.add(OpenAPIRules.body, in: .request, "\(operation.name) needs a body, and there is none.")
            }
            return
        }
        guard let content = operation.body else {
            result.add(
                OpenAPIRules.empty,
                in: .request,
                "\(operation.name) has no body in the document, and one was sent."
            )
            return
        }
        checkBody(content, exchange.request, capture.request, .request, operation.name, &result)
    }

    private func checkResponse(of operation: OpenAPIOperation, _ capture: Capture, _ result: inout Result) {
        let exchange = capture.exchange
        // The proxy's own answer is no answer of the API.
        guard let message = exchange.response, let code = exchange.code, exchange.ownResponse == nil,
            exchange.outcome == .completed
        else { return }
        guard let response = operation.response(code) else {
            // A 304 stands for the answer that the client has (RFC 9110 §15.4.5).
            if code == 304, operation.response(200) != nil { return }
            let known = operation.responses.keys.sorted().joined(separator: ", ")
            result.add(
                OpenAPIRules.status,
                in: .response,
                "\(operation.name) answered \(code); the document has \(known.isEmpty ? "no status" : known)."
            )
            return
        }
        checkFields(of: response, operation, message, &result)
        guard exchange.method != "HEAD", ![204, 205, 304].contains(code) else { return }
        guard message.body.length > 0 else {
            if let content = response.body {
                result.add(
                    OpenAPIRules.empty,
                    in: .response,
                    "The body is empty; the document has \(content.sentence) for \(response.status)."
                )
            }
            return
        }
        guard let content = response.body else {
            let type = MediaType(message.fields.first("Content-Type"))?.essence ?? "a body"
            result.add(
                OpenAPIRules.empty,
                in: .response,
                "The answer has \(type); the document describes no body for \(response.status)."
            )
            return
        }
        checkBody(content, message, capture.response, .response, "\(operation.name) \(response.status)", &result)
    }

    private func checkBody(
        _ content: OpenAPIContent,
        _ message: Message,
        _ body: CapturedBody,
        _ side: MessageSide,
        _ name: String,
        _ result: inout Result
    ) {
        // A body without a type may be anything (RFC 9110 §8.3).
        let type = MediaType(message.fields.first("Content-Type"))
        guard let kind = content.kind(of: type) else {
            let found = type.map { "is \($0.essence)" } ?? "names no media type"
            result.add(
                OpenAPIRules.mediaType,
                in: side,
                "The body \(found); the document has \(content.sentence) for \(name)."
            )
            return
        }
        guard let schema = kind.schema, let type else {
            if let type, content.kinds.contains(where: { $0.range == kind.range && $0.schema != nil }) {
                result.unchecked.append(
                    "bodies of \(type.essence) have a schema by their parameters, and this one has none"
                )
            }
            return
        }
        // The body itself tells the reader of captures that it is not whole.
        guard body.problem == nil else { return }
        if body.isEmpty, message.body.kept == 0 {
            result.unchecked.append("the \(side.rawValue)'s body was not kept")
            return
        }
        let value: JSONValue
        if OpenAPICheck.isSequence(type) {
            result.unchecked.append("bodies of \(type.essence) are several texts, and are not held to their schema")
            return
        } else if type.isJSON {
            do throws(ExactJSON.Problem) {
                value = try body.exactJSON()
                result.budget.makeRoom(for: value)
            } catch {
                switch error {
                case .malformed(let sentence): result.add(OpenAPIRules.body, in: side, "The body \(sentence).")
                case .unread(let sentence): result.unchecked.append("the \(side.rawValue)'s body \(sentence)")
                }
                return
            }
        } else if type.essence == "application/x-www-form-urlencoded" {
            guard let read = form(body.text, kind, schema, &result) else { return }
            value = read
        } else if type.type == "text", !type.isXML {
            let text = OpenAPICheck.scalars(body.text)
            result.budget.makeRoom(for: .string(body.text))
            // A body of several texts, such as rows or events, has a form that no schema describes.
            let kinds = document.schemas.kinds(of: schema, work: &result.budget.left)
            let takesOthers = !kinds.isDisjoint(with: [.object, .array])
            guard let read = fitting(text, schema, &result.budget) ?? (takesOthers ? nil : .string(body.text)) else {
                result.unchecked.append("bodies of \(type.essence) are not held to a schema of objects or lists")
                return
            }
            value = read
        } else {
            result.unchecked.append("bodies of \(type.essence) are not held to their schema")
            return
        }
        var judge = SchemaJudge(
            document.schemas,
            direction: side == .request ? .request : .response,
            workLimit: result.budget.left
        )
        for fault in judge.faults(of: value, by: schema) {
            let message = fault.message(calling: "The body")
            result.add(OpenAPIRules.schema, in: side, at: fault.pointer, message, more: fault.more)
        }
        result.budget.left -= judge.work
        if judge.isExhausted {
            result.unchecked.append(
                "the \(side.rawValue)'s body is too much work for its schema; the rest of it is not checked"
            )
        }
    }

    /// Reads a form as an object, its fields by the document's encodings; notes and returns `nil` where the document does not say how.
    private func form(_ text: String, _ kind: OpenAPIContent.Kind, _ schema: Schema.Number, _ result: inout Result)
        -> JSONValue?
    {
        // A value takes two bytes at least.
        result.budget.makeRoom(values: text.utf8.count / 2)
        let properties = document.schemas.parts(of: schema, work: &result.budget.left).properties
        var members: [(name: String, value: JSONValue)] = []
        for (name, raw) in OpenAPICheck.grouped(FormItem.items(text)) {
            guard !result.budget.isSpent else {
                result.unchecked.append("the form is too much work for its schema")
                return nil
            }
            let field = kind.encodings[name]
            let inner = properties[ExactText(name)]
            let kinds = inner.map { document.schemas.kinds(of: $0, work: &result.budget.left) }
            let isObject = kinds?.subtracting(.null) == .object
            // An object in a field is JSON text by default (OpenAPI 3.0.3 §4.7.14.1, "stringified"); a field may also say so.
            if field?.isJSON == true || field == nil && isObject {
                let texts = raw.map { Array(FormItem.decoded($0).utf8) }
                guard texts.count == 1, let value = try? ExactJSON.value(texts[0]) else {
                    result.unchecked.append("the form's field \(name) is an object in a form that is not read")
                    return nil
                }
                members.append((name, value))
            } else if let field, let inner {
                switch meaning(ParameterText(field, raw), field, inner, &result.budget) {
                case .value(let value): members.append((name, value))
                case .unknown(let sentence):
                    result.unchecked.append("the form's field \(name) \(sentence)")
                    return nil
                }
            } else {
                members.append((name, member(raw.map(FormItem.decoded), inner, &result.budget)))
            }
        }
        let spread = kind.encodings.values.first { $0.isSpread }
        if let spread {
            result.unchecked.append(
                "the form's field \(spread.name) is an object over several fields, which is not read"
            )
            return nil
        }
        return .object(members)
    }

    /// Whether a body of a type holds several JSON texts: lines of JSON, or those of RFC 7464 and RFC 8091.
    static func isSequence(_ type: MediaType) -> Bool {
        let names: Set = [
            "application/ndjson", "application/x-ndjson", "application/jsonl", "application/x-jsonl",
            "application/jsonlines", "application/x-jsonlines", "application/json-lines", "application/stream+json",
            "application/x-json-stream", "application/json-seq",
        ]
        return names.contains(type.essence) || type.essence.hasSuffix("+json-seq")
            || type.essence == "text/event-stream"
    }
}

extension OpenAPICheck.Result {
    /// Adds a finding; `more` is the count of further ones that it stands for.
    mutating func add(
        _ rule: CheckRule,
        in side: MessageSide,
        at pointer: String = "",
        _ message: String,
        more: Int = 0
    ) {
        findings.append(CheckFinding(rule, in: side, at: pointer, message).standing(for: more))
    }
}

extension SchemaJudge.Fault {
    /// A sentence about the fault that begins with the value's name, and says where the document forbids it.
    func message(calling whole: String) -> String {
        let name = pointer.isEmpty ? whole : pointer
        return "\(name) \(sentence) (\(place))."
    }
}
