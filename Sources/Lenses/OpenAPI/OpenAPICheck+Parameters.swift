import Foundation
import Traffic

extension OpenAPICheck {
    /// The parameters of a request: those that are needed, those that are there, and those in the query that the document does not know.
    func checkParameters(
        of operation: OpenAPIOperation,
        _ path: [String: Substring],
        _ capture: Capture,
        _ result: inout Result
    ) {
        let query = FormItem.items(ofTarget: capture.exchange.target)
        for parameter in operation.parameters {
            let what = "The parameter \(parameter.name)"
            if parameter.isSpread {
                let members = spread(parameter, query, operation)
                if members.isEmpty {
                    requireThat(false, parameter, operation, &result)
                } else if parameter.style == "deepObject", members.contains(where: { $0.name.contains("[") }) {
                    // Objects in objects are left open (OpenAPI 3.0.3 §4.7.12.3).
                    result.unchecked.append("\(what) has objects in objects, which its style gives no form")
                } else if let schema = parameter.schema {
                    let value = form(members.map { ($0.name, $0.raw.map(FormItem.decoded)) }, schema)
                    tell(value, schema, what, .request, OpenAPIRules.parameter, &result)
                }
                continue
            }
            let raw: [Substring] =
                switch parameter.location {
                case .path: path[parameter.name].map { [$0] } ?? []
                case .query: query.filter { $0.name == parameter.name }.map(\.raw)
                case .header: capture.exchange.request.fields.values(of: parameter.name).map { $0[...] }
                case .cookie: OpenAPICheck.cookies(capture).filter { $0.name == parameter.name }.map { $0.value[...] }
                }
            requireThat(!raw.isEmpty || parameter.location == .path, parameter, operation, &result)
            // An empty value may be allowed whatever the schema says (OpenAPI 3.0.3 §4.7.12.2.1).
            if raw.isEmpty || parameter.allowsEmptyValue && raw == [""] { continue }
            hold(raw, parameter, what, .request, OpenAPIRules.parameter, &result)
        }
        for name in unknown(query.map(\.name), operation) where !document.keyParameters.contains(name) {
            result.add(
                OpenAPIRules.unknown,
                in: .request,
                "\(operation.name) has no parameter \(name) in the document."
            )
        }
    }

    private func requireThat(
        _ isThere: Bool,
        _ parameter: OpenAPIParameter,
        _ operation: OpenAPIOperation,
        _ result: inout Result
    ) {
        guard !isThere, parameter.isRequired else { return }
        result.add(
            OpenAPIRules.parameter,
            in: .request,
            "\(operation.name) needs \(parameter.name) in its \(parameter.location.rawValue), and it is not there."
        )
    }

    /// The fields of a response.
    func checkFields(
        of response: OpenAPIResponse,
        _ operation: OpenAPIOperation,
        _ message: Message,
        _ result: inout Result
    ) {
        for (name, parameter) in response.fields {
            let texts = message.fields.values(of: name)
            guard texts.isEmpty else {
                hold(
                    texts.map { $0[...] },
                    parameter,
                    "The field \(parameter.name)",
                    .response,
                    OpenAPIRules.header,
                    &result
                )
                continue
            }
            if parameter.isRequired {
                result.add(
                    OpenAPIRules.header,
                    in: .response,
                    "The answer has no \(parameter.name), which the document requires for \(response.status)."
                )
            }
        }
    }

    /// The names that no parameter takes, each once.
    private func unknown(_ names: [String], _ operation: OpenAPIOperation) -> [String] {
        // An object whose members are parameters of their own may take any name.
        if operation.parameters.contains(where: { $0.isSpread && $0.style == "form" }) { return [] }
        var seen: Set<String> = []
        return names.filter { name in
            seen.insert(name).inserted && !operation.parameters.contains { $0.takes(name) }
        }
    }

    /// The members of an object that is spread over the query: `filter[name]=x`, or each a parameter of its own (OpenAPI 3.0.3 §4.7.12.3).
    private func spread(_ parameter: OpenAPIParameter, _ query: [FormItem], _ operation: OpenAPIOperation)
        -> [(name: String, raw: [Substring])]
    {
        if parameter.style == "deepObject" {
            let own = query.compactMap { item -> FormItem? in
                guard parameter.takes(item.name), item.name.hasSuffix("]") else { return nil }
                let name = item.name.dropFirst(parameter.name.count + 1).dropLast()
                return FormItem(name: String(name), raw: item.raw)
            }
            return OpenAPICheck.grouped(own)
        }
        guard let schema = parameter.schema else { return [] }
        let properties = document.schemas.parts(of: schema).properties
        let isAlone = operation.parameters.count { $0.isSpread && $0.style == "form" } == 1
        return OpenAPICheck.grouped(
            query.filter { item in
                if properties[item.name] != nil { return true }
                // What nobody else takes may be a member too; of a closed object it would be one too many.
                return isAlone && !document.schemas.isClosed(schema) && !document.keyParameters.contains(item.name)
                    && !operation.parameters.contains { $0.takes(item.name) }
            }
        )
    }

    /// Holds texts to a parameter's schema.
    private func hold(
        _ raw: [Substring],
        _ parameter: OpenAPIParameter,
        _ what: String,
        _ side: MessageSide,
        _ rule: CheckRule,
        _ result: inout Result
    ) {
        guard let schema = parameter.schema else { return }
        let text = ParameterText(parameter, raw)
        if parameter.isJSON {
            do {
                tell(try ExactJSON.value(Array((text.text ?? "").utf8)), schema, what, side, rule, &result)
            } catch {
                result.add(rule, in: side, "\(what) is no JSON.")
            }
            return
        }
        switch meaning(text, parameter, schema) {
        case .value(let value): tell(value, schema, what, side, rule, &result)
        case .unknown(let sentence): result.unchecked.append("\(what) \(sentence)")
        }
    }

    private func tell(
        _ value: JSONValue,
        _ schema: Schema.Number,
        _ what: String,
        _ side: MessageSide,
        _ rule: CheckRule,
        _ result: inout Result
    ) {
        var judge = SchemaJudge(document.schemas)
        for fault in judge.faults(of: value, by: schema) {
            let place = fault.pointer.isEmpty ? what : "\(what) at \(fault.pointer)"
            result.add(rule, in: side, "\(place) \(fault.sentence) (\(fault.place)).")
        }
        if judge.isExhausted { result.unchecked.append("\(what) is too much work for its schema") }
    }

    private static func cookies(_ capture: Capture) -> [(name: String, value: String)] {
        capture.exchange.request.fields.values("Cookie").flatMap { $0.split(separator: ";") }.map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (parts[0].trimmingCharacters(in: .whitespaces), parts.count > 1 ? String(parts[1]) : "")
        }
    }
}

extension HeaderList {
    /// The values under a name that is known only now, ignoring case.
    fileprivate func values(of name: String) -> [String] {
        filter { $0.name.caseInsensitiveCompare(name) == .orderedSame }.map(\.value)
    }
}
