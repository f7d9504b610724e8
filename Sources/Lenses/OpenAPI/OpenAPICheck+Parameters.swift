import Foundation
import Traffic

extension OpenAPICheck {
    /// The parameters of a request: those that are needed, those that are there, and those in the query that the document does not know.
    func checkParameters(
        of operation: OpenAPIOperation,
        _ path: [String: String],
        _ capture: Capture,
        _ result: inout Result
    ) {
        let query = QueryString.items(capture.exchange.target)
        for parameter in operation.parameters {
            let texts =
                switch parameter.location {
                case .path: path[parameter.name].map { [$0] } ?? []
                case .query: query.filter { $0.name == parameter.name }.map(\.value)
                case .header: capture.exchange.request.fields.values(of: parameter.name)
                case .cookie: OpenAPICheck.cookies(capture).filter { $0.name == parameter.name }.map(\.value)
                }
            if parameter.location == .query, let object = object(parameter, query) {
                if !object.isEmpty {
                    hold(
                        object,
                        parameter,
                        "The parameter \(parameter.name)",
                        .request,
                        OpenAPIRules.parameter,
                        &result
                    )
                }
                continue
            }
            guard !texts.isEmpty else {
                if parameter.isRequired, parameter.location != .path {
                    result.add(
                        OpenAPIRules.parameter,
                        in: .request,
                        "\(operation.name) needs \(parameter.name) in its \(parameter.location.rawValue), and it is not there."
                    )
                }
                continue
            }
            hold(texts, parameter, "The parameter \(parameter.name)", .request, OpenAPIRules.parameter, &result)
        }
        for name in OpenAPICheck.unknown(query.map(\.name), operation) where !document.keyParameters.contains(name) {
            result.add(
                OpenAPIRules.unknown,
                in: .request,
                "\(operation.name) has no parameter \(name) in the document."
            )
        }
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
                hold(texts, parameter, "The field \(parameter.name)", .response, OpenAPIRules.header, &result)
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
    private static func unknown(_ names: [String], _ operation: OpenAPIOperation) -> [String] {
        let parameters = operation.parameters.filter { $0.location == .query }
        // An object whose members are parameters of their own may take any name.
        if parameters.contains(where: { $0.style == "form" && $0.isExploded && $0.takesMembers }) { return [] }
        var seen: Set<String> = []
        return names.filter { name in
            seen.insert(name).inserted
                && !parameters.contains { $0.name == name || $0.style == "deepObject" && name.hasPrefix($0.name + "[") }
        }
    }

    /// Holds texts to a parameter's schema.
    private func hold(
        _ texts: [String],
        _ parameter: OpenAPIParameter,
        _ what: String,
        _ side: MessageSide,
        _ rule: CheckRule,
        _ result: inout Result
    ) {
        guard let schema = parameter.schema else { return }
        if parameter.isJSON {
            guard let value = try? JSONReader.value(Array((texts.first ?? "").utf8)) else {
                result.add(rule, in: side, "\(what) is no JSON.")
                return
            }
            return tell(value, schema, what, side, rule, &result)
        }
        let parts = OpenAPICheck.split(texts, parameter)
        let value = fitting(parts, schema, SchemaJudge(document.schemas)) ?? likely(parts, schema)
        tell(value, schema, what, side, rule, &result)
    }

    private func hold(
        _ members: [(name: String, value: String)],
        _ parameter: OpenAPIParameter,
        _ what: String,
        _ side: MessageSide,
        _ rule: CheckRule,
        _ result: inout Result
    ) {
        guard let schema = parameter.schema else { return }
        tell(form(members, schema), schema, what, side, rule, &result)
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
    }
}

extension OpenAPICheck {
    /// The members of a parameter that is an object: `filter[name]=x`, or each a parameter of its own; `nil` for any other parameter.
    private func object(_ parameter: OpenAPIParameter, _ query: [QueryString.Item]) -> [(name: String, value: String)]?
    {
        if parameter.style == "deepObject" {
            return query.compactMap { item in
                guard item.name.hasPrefix(parameter.name + "["), item.name.hasSuffix("]") else { return nil }
                return (String(item.name.dropFirst(parameter.name.count + 1).dropLast()), item.value)
            }
        }
        guard parameter.takesMembers, let schema = parameter.schema else { return nil }
        let properties = document.schemas.parts(of: schema).properties
        return query.filter { properties[$0.name] != nil }.map { ($0.name, $0.value) }
    }

    /// The elements of what may be a list, by the style in which it is written.
    private static func split(_ texts: [String], _ parameter: OpenAPIParameter) -> [String] {
        guard parameter.isList, texts.count == 1, let text = texts.first else { return texts }
        switch parameter.style {
        case "spaceDelimited": return text.split(separator: " ").map(String.init)
        case "pipeDelimited": return text.split(separator: "|").map(String.init)
        case "label": return text.drop { $0 == "." }.split(separator: parameter.isExploded ? "." : ",").map(String.init)
        case "form" where parameter.isExploded: return texts
        default:
            return text.split(separator: ",", omittingEmptySubsequences: false).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
        }
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
