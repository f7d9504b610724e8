import Traffic

/// What texts that have no types of their own mean to a schema.
extension OpenAPICheck {
    /// The first of the values that texts may stand for that a schema takes; `nil` where it takes none.
    func fitting(_ texts: [String], _ schema: Schema.Number, _ judge: SchemaJudge) -> JSONValue? {
        var judge = judge
        return meanings(texts, schema).first { judge.holds($0, by: schema) }
    }

    /// The value that the schema's types speak for, where none fits.
    func likely(_ texts: [String], _ schema: Schema.Number) -> JSONValue {
        let kinds = document.schemas.kinds(of: schema)
        if kinds.contains(.array), !kinds.contains(.string) { return elements(texts, schema) }
        return meanings(texts, schema).first { !kinds.isDisjoint(with: JSONKind(of: $0)) } ?? .string(texts.first ?? "")
    }

    /// Everything that texts may stand for, the likeliest first.
    private func meanings(_ texts: [String], _ schema: Schema.Number) -> [JSONValue] {
        let kinds = document.schemas.kinds(of: schema)
        var values: [JSONValue] = []
        if texts.count == 1, let text = texts.first {
            values = OpenAPICheck.scalars(text)
            if text.isEmpty, kinds.contains(.null) { values.append(.null) }
        }
        if kinds.contains(.array) { values.append(elements(texts, schema)) }
        return values.isEmpty ? [.array(texts.map { .string($0) })] : values
    }

    private func elements(_ texts: [String], _ schema: Schema.Number) -> JSONValue {
        guard let items = document.schemas.parts(of: schema).items else { return .array(texts.map { .string($0) }) }
        return .array(
            texts.map { text in
                fitting([text], items, SchemaJudge(document.schemas)) ?? likely([text], items)
            }
        )
    }

    /// A text as the number or truth value that it may be, and as itself.
    static func scalars(_ text: String) -> [JSONValue] {
        var values: [JSONValue] = [.string(text)]
        if let number = OpenAPICheck.number(text) { values.insert(.number(number), at: 0) }
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

    /// A form as an object: of several fields of a name a list.
    func form(_ items: [(name: String, value: String)], _ schema: Schema.Number) -> JSONValue {
        let properties = document.schemas.parts(of: schema).properties
        var names: [String] = []
        var texts: [String: [String]] = [:]
        for item in items {
            if texts[item.name] == nil { names.append(item.name) }
            texts[item.name, default: []].append(item.value)
        }
        return .object(
            names.map { name in
                let texts = texts[name] ?? []
                guard let inner = properties[name] else {
                    return (name, texts.count == 1 ? .string(texts[0]) : .array(texts.map { .string($0) }))
                }
                return (name, fitting(texts, inner, SchemaJudge(document.schemas)) ?? likely(texts, inner))
            }
        )
    }
}
