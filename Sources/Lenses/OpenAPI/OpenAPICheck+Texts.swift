import Traffic

/// What texts that have no types of their own mean to a schema.
extension OpenAPICheck {
    /// What a parameter's text comes to.
    enum Meaning {
        /// A value that fits, or the likeliest of those that do not.
        case value(JSONValue)
        /// There is no telling; the end of a sentence begun with the parameter.
        case unknown(String)
    }

    /// The value that a parameter's text stands for; any of those that it may be once the work is spent.
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

    /// The first of some values that a schema takes; `nil` where it takes none.
    func fitting(_ values: [JSONValue], _ schema: Schema.Number, _ budget: inout SchemaBudget) -> JSONValue? {
        values.first { value in
            var judge = SchemaJudge(document.schemas, workLimit: budget.left)
            let holds = judge.holds(value, by: schema)
            budget.left -= judge.work
            return holds
        }
    }

    /// The value that a schema's types speak for, where none fits.
    private func likely(_ values: [JSONValue], _ kinds: JSONKind) -> JSONValue? {
        values.first { !kinds.isDisjoint(with: JSONKind(of: $0)) } ?? values.first
    }

    /// The value that a text stands for where it is one of a list, a form or an object.
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

    /// A text as the number or truth value that it may be, and as itself.
    static func scalars(_ text: String) -> [JSONValue] {
        var values: [JSONValue] = [.string(text)]
        if let number = OpenAPICheck.number(text) { values.insert(ExactJSON.long(text) ?? .number(number), at: 0) }
        if text == "true" || text == "false" { values.insert(.boolean(text == "true"), at: 0) }
        return values
    }

    /// The number that a text is as JSON writes one; `nil` for ` 1`, `+1`, `0x1`, `inf`.
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

    /// The texts under a name as the value of a member: of several a list.
    func member(_ texts: [String], _ schema: Schema.Number?, _ budget: inout SchemaBudget) -> JSONValue {
        guard let schema, !budget.isSpent else {
            return texts.count == 1 ? .string(texts[0]) : .array(texts.map { .string($0) })
        }
        let kinds = document.schemas.kinds(of: schema, work: &budget.left)
        if texts.count == 1, let text = texts.first, kinds != .array { return scalar(text, schema, &budget) }
        return elements(texts, schema, &budget)
    }

    /// Items under the name of each, in the order in which the names came.
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
