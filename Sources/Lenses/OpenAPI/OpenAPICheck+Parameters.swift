import Traffic

extension OpenAPICheck {
    /// Checks the parameters of a request: those that are required, those that are there, and those in the query that the document does not know.
    func checkParameters(
        of operation: OpenAPIOperation,
        _ path: [String: Substring],
        _ capture: Capture,
        _ result: inout Result
    ) {
        let texts = RequestTexts(capture.exchange, path: path)
        for parameter in operation.parameters {
            let what = "The parameter \(parameter.name)"
            if parameter.isSpread {
                guard let members = spread(parameter, texts.query, operation, &result.budget) else {
                    result.unchecked.append("\(what) is too much work to be found in the query")
                    continue
                }
                if members.isEmpty {
                    requireThat(false, parameter, operation, &result)
                } else if parameter.style == "deepObject", members.contains(where: { $0.name.contains("[") }) {
                    // Objects in objects are left open (OpenAPI 3.0.3 §4.7.12.3).
                    result.unchecked.append("\(what) has objects in objects, which its style gives no form")
                } else if let schema = parameter.schema {
                    let value = form(
                        members.map { ($0.name, $0.raw.map(FormItem.decoded)) },
                        schema,
                        &result.budget
                    )
                    tell(value, schema, what, .request, OpenAPIRules.parameter, &result)
                }
                continue
            }
            let raw = texts.raw(parameter)
            requireThat(!raw.isEmpty || parameter.location == .path, parameter, operation, &result)
            // An empty value may be allowed whatever the schema says (OpenAPI 3.0.3 §4.7.12.2.1).
            if raw.isEmpty || parameter.allowsEmptyValue && raw == [""] { continue }
            hold(raw, parameter, what, .request, OpenAPIRules.parameter, &result)
        }
        tellUnknown(texts.query, operation, &result)
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

    /// Checks the fields of a response.
    func checkFields(
        of response: OpenAPIResponse,
        _ operation: OpenAPIOperation,
        _ message: Message,
        _ result: inout Result
    ) {
        guard !response.fields.isEmpty else { return }
        let fields = message.fields.byName
        for (name, parameter) in response.fields {
            let texts = fields[name] ?? []
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

    /// Adds a finding for each name that no parameter takes.
    private func tellUnknown(_ query: [FormItem], _ operation: OpenAPIOperation, _ result: inout Result) {
        // An object whose members are parameters of their own may take any name.
        guard operation.queryNames.spreadCount == 0 else { return }
        var seen: Set<String> = []
        for item in query where seen.insert(item.name).inserted {
            guard !result.budget.isSpent else {
                result.unchecked.append("the query has more names than there is time to look for in the document")
                return
            }
            let isKnown =
                operation.queryNames.contains(item.name, work: &result.budget.left)
                || document.keyParameters.contains(item.name)
            if isKnown { continue }
            result.add(
                OpenAPIRules.unknown,
                in: .request,
                "\(operation.name) has no parameter \(item.name) in the document."
            )
        }
    }

    /// The members of an object that is spread over the query: `filter[name]=x`, or each a parameter of its own (OpenAPI 3.0.3 §4.7.12.3).
    ///
    /// - Returns: the members; `nil` where it takes too much work to find them.
    private func spread(
        _ parameter: OpenAPIParameter,
        _ query: [FormItem],
        _ operation: OpenAPIOperation,
        _ budget: inout SchemaBudget
    ) -> [(name: String, raw: [Substring])]? {
        budget.left -= query.count
        guard !budget.isSpent else { return nil }
        if parameter.style == "deepObject" {
            let own = query.compactMap { item -> FormItem? in
                guard parameter.takes(item.name), item.name.hasSuffix("]") else { return nil }
                let name = item.name.dropFirst(parameter.name.count + 1).dropLast()
                return FormItem(name: String(name), raw: item.raw)
            }
            return OpenAPICheck.grouped(own)
        }
        guard let schema = parameter.schema else { return [] }
        let properties = document.schemas.parts(of: schema, work: &budget.left).properties
        // An item that no parameter takes may be a member too, which a closed object would not allow.
        let isOpen =
            operation.queryNames.spreadCount == 1 && !document.schemas.isClosed(schema, work: &budget.left)
        var own: [FormItem] = []
        for item in query {
            guard !budget.isSpent else { return nil }
            let isMember =
                properties[ExactText(item.name)] != nil
                || isOpen && !document.keyParameters.contains(item.name)
                    && !operation.queryNames.contains(item.name, work: &budget.left)
            if isMember { own.append(item) }
        }
        return OpenAPICheck.grouped(own)
    }

    /// Checks texts against a parameter's schema.
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
        switch meaning(text, parameter, schema, &result.budget) {
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
        var judge = SchemaJudge(document.schemas, workLimit: result.budget.left)
        for fault in judge.faults(of: value, by: schema) {
            let place = fault.pointer.isEmpty ? what : "\(what) at \(fault.pointer)"
            result.add(rule, in: side, "\(place) \(fault.sentence) (\(fault.place)).", more: fault.more)
        }
        result.budget.left -= judge.work
        if judge.isExhausted { result.unchecked.append("\(what) is too much work for its schema") }
    }
}
