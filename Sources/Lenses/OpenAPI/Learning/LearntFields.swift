import Traffic

/// The common form of the fields of forms or queries, by name.
struct LearntFields: Sendable {
    /// The most names that are learnt; a form with more may have any name.
    private static let limit = 100

    /// The count of forms or queries.
    private(set) var count = 0
    private(set) var fields: [String: LearntParameter] = [:]
    /// Whether there were more names than are learnt.
    private(set) var isOpen = false

    /// Adds one form or query.
    mutating func add(_ items: [QueryString.Item]) {
        count += 1
        for (name, items) in Dictionary(grouping: items, by: \.name) {
            guard fields[name] != nil || fields.count < LearntFields.limit else {
                isOpen = true
                continue
            }
            fields[name, default: LearntParameter()].add(items.map(\.value))
        }
    }

    /// Adds what was learnt of forms that are taken for the same.
    mutating func join(_ other: LearntFields) {
        count += other.count
        isOpen = isOpen || other.isOpen
        for (name, field) in other.fields.sorted(by: { $0.key < $1.key }) {
            if fields[name] == nil, fields.count >= LearntFields.limit {
                isOpen = true
            } else {
                fields[name, default: LearntParameter()].join(field)
            }
        }
    }

    /// The fields as the parameters of a query.
    func parameters(_ mask: ExampleMask) -> [JSONValue] {
        let (hidden, shown) = mask.parted(fields)
        let named = shown.sorted { $0.key < $1.key }.map { name, field in
            field.document(name: name, location: .query, isRequired: field.count == count, mask)
        }
        guard isOpen || !hidden.isEmpty else { return named }
        let others: JSONValue = .object([
            ("name", .string("others")), ("in", .string("query")), ("description", .string("Any other name.")),
            ("schema", .object([("type", .string("object")), ("additionalProperties", .boolean(true))])),
        ])
        return named + [others]
    }

    /// The fields as the schema of a form.
    func schema(_ mask: ExampleMask) -> JSONValue {
        let sorted = mask.parted(fields).shown.sorted { $0.key < $1.key }
        let required = sorted.filter { $0.value.count == count }.map { JSONValue.string($0.key) }
        return .object(
            [
                ("type", .string("object")),
                ("properties", .object(sorted.map { (name: $0.key, value: $0.value.schema(name: $0.key, mask)) })),
            ] + (required.isEmpty ? [] : [("required", .array(required))])
        )
    }
}
