import Traffic

extension LearntSchema {
    /// The schema as JSON Schema 2020-12, members by name.
    ///
    /// - Parameters:
    ///   - name: the name of the member whose schema it is; `nil` where it is no member's.
    ///   - mask: the mask of examples.
    /// - Returns: the object.
    func document(name: String? = nil, _ mask: ExampleMask) -> JSONValue {
        guard !isOpen, !kinds.isEmpty else { return .object([]) }
        var schema: [(name: String, value: JSONValue)] = []
        let names = JSONKind.names.filter {
            kinds.contains($0.kind) && !($0.kind == .integer && kinds.contains(.number))
        }
        .map { JSONValue.string($0.name) }
        schema.append(("type", names.count == 1 ? names[0] : .array(names)))
        if kinds.contains(.string) {
            if let format = text.format { schema.append(("format", .string(format.rawValue))) }
            if kinds.isSubset(of: [.string, .null]), let values = mask.enumeration(text.enumeration, under: name) {
                let isNullable = kinds.contains(.null)
                schema.append(("enum", .array(values.map { .string($0) } + (isNullable ? [.null] : []))))
            }
        }
        if kinds.contains(.object) {
            // The names of a map may be secrets or hold some, so its members count as nameless.
            let (hidden, shown) = mask.parted(members)
            let sorted = shown.sorted { $0.key < $1.key }
            if !sorted.isEmpty {
                let properties = sorted.map { ($0.key, $0.value.schema.document(name: $0.key, mask)) }
                schema.append(("properties", .object(properties.map { (name: $0.0, value: $0.1) })))
            }
            let required = sorted.filter { $0.value.count == objects }.map { JSONValue.string($0.key) }
            if !required.isEmpty { schema.append(("required", .array(required))) }
            if var others = others.first {
                for member in hidden { others.join(member.value.schema) }
                schema.append(("additionalProperties", others.document(mask)))
            }
        }
        if let elements = elements.first { schema.append(("items", elements.document(mask))) }
        return .object(schema)
    }
}
