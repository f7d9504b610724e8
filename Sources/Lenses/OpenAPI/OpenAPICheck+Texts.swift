import Traffic

/// The values that untyped texts stand for, by a schema.
extension OpenAPICheck {
    /// The meaning of a parameter's text.
    enum Meaning {
        /// A value that fits the schema, or the likeliest of those that do not.
        case value(JSONValue)
        /// No value can be told; the text ends a sentence begun with the parameter.
        case unknown(String)
    }

    /// The value that a parameter's text stands for; any of the possible values once the work is spent.
    func meaning(
        _ text: ParameterText,
        _ parameter: OpenAPIParameter,
        _ schema: Schema.Number,
        _ budget: inout SchemaBudget
    ) -> Meaning {
        guard !budget.isSpent else { return .value(.null) }
        let kinds = document.schemas.kinds(of: schema, work: &budget.left)
        var values: [JSONValue] = []
        if let whole = text.text {
            if kinds != .object { values += OpenAPICheck.scalars(whole) }
            if whole.isEmpty, kinds.contains(.null) { values.append(.null) }
        }
        if kinds.contains(.array) { values += text.lists.map { elements($0, schema, &budget) } }
        if kinds.contains(.object), kinds != .any {
            let objects = text.objects
            if objects.isEmpty, kinds.subtracting(.null) == .object {
                return .unknown("is an object in the style \(parameter.style), which gives it no form")
            }
            values += objects.map { form($0.map { ($0.name, [$0.value]) }, schema, &budget) }
        }
        if values.isEmpty { values = text.lists.map { list in .array(list.map { .string($0) }) } }
        return .value(fitting(values, schema, &budget) ?? likely(values, kinds) ?? .null)
    }

    /// The first value that a schema accepts; `nil` where it accepts none.
    func fitting(_ values: [JSONValue], _ schema: Schema.Number, _ budget: inout SchemaBudget) -> JSONValue? {
        values.first { value in
            var judge = SchemaJudge(document.schemas, workLimit: budget.left)
            let holds = judge.holds(value, by: schema)
            budget.left -= judge.work
            return holds
        }
    }

    /// The value that a schema's types suggest, where no value fits.
    private func likely(_ values: [JSONValue], _ kinds: JSONKind) -> JSONValue? {
        values.first { !kinds.isDisjoint(with: JSONKind(of: $0)) } ?? values.first
    }

    /// The value of a text within a list, a form or an object.
    private func scalar(_ text: String, _ schema: Schema.Number, _ budget: inout SchemaBudget) -> JSONValue {
        guard !budget.isSpent else { return .string(text) }
        let kinds = document.schemas.kinds(of: schema, work: &budget.left)
        var values = OpenAPICheck.scalars(text)
        if text.isEmpty, kinds.contains(.null) { values.append(.null) }
        return fitting(values, schema, &budget) ?? likely(values, kinds) ?? .string(text)
    }

    private func elements(_ texts: [String], _ schema: Schema.Number, _ budget: inout SchemaBudget) -> JSONValue {
        guard !budget.isSpent, let items = document.schemas.parts(of: schema, work: &budget.left).items else {
            return .array(texts.map { .string($0) })
        }
        return .array(texts.map { scalar($0, items, &budget) })
    }

    /// The values that a text may be: a number, a truth value, the text itself.
    static func scalars(_ text: String) -> [JSONValue] {
        var values: [JSONValue] = [.string(text)]
        if let number = OpenAPICheck.number(text) { values.insert(ExactJSON.long(text) ?? .number(number), at: 0) }
        if text == "true" || text == "false" { values.insert(.boolean(text == "true"), at: 0) }
        return values
    }

    /// The number of a text in JSON's form; `nil` for ` 1`, `+1`, `0x1`, `inf`.
    static func number(_ text: String) -> Double? {
        guard let first = text.utf8.first, first == UInt8(ascii: "-") || (0x30...0x39).contains(first),
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }), let number = Double(text)
        else { return nil }
        return number.isFinite ? number : nil
    }

    /// Named texts as an object.
    func form(
        _ items: [(name: String, texts: [String])],
        _ schema: Schema.Number,
        _ budget: inout SchemaBudget
    ) -> JSONValue {
        let properties = document.schemas.parts(of: schema, work: &budget.left).properties
        return .object(items.map { ($0.name, member($0.texts, properties[ExactText($0.name)], &budget)) })
    }

    /// The texts under a name as the value of a member; several texts make a list.
    func member(_ texts: [String], _ schema: Schema.Number?, _ budget: inout SchemaBudget) -> JSONValue {
        guard let schema, !budget.isSpent else {
            return texts.count == 1 ? .string(texts[0]) : .array(texts.map { .string($0) })
        }
        let kinds = document.schemas.kinds(of: schema, work: &budget.left)
        if texts.count == 1, let text = texts.first, kinds != .array { return scalar(text, schema, &budget) }
        return elements(texts, schema, &budget)
    }

    /// The items by name, in the order in which the names came.
    static func grouped(_ items: [FormItem]) -> [(name: String, raw: [Substring])] {
        var names: [String] = []
        var texts: [String: [Substring]] = [:]
        for item in items {
            if texts[item.name] == nil { names.append(item.name) }
            texts[item.name, default: []].append(item.raw)
        }
        return names.map { ($0, texts[$0] ?? []) }
    }
}
