import Traffic

/// The common form of a parameter's values: numbers, truth values, or texts.
struct LearntParameter: Sendable {
    /// The count of requests that had the parameter.
    private(set) var count = 0
    /// Whether a request had the parameter more than once.
    private(set) var isList = false
    private var isInteger = true
    private var isNumber = true
    private var isBoolean = true
    private var text = LearntText()
    /// The first value, for an example.
    private(set) var first: String?
    /// Whether every value equals the first.
    private(set) var isConstant = true

    /// Adds the values that one request had, at least one.
    mutating func add(_ values: [String]) {
        count += 1
        isList = isList || values.count > 1
        for value in values {
            let number = OpenAPICheck.number(value)
            isNumber = isNumber && number != nil
            isInteger = isInteger && number.map { $0 == $0.rounded() } == true
            isBoolean = isBoolean && (value == "true" || value == "false")
            text.add(value)
            if first == nil { first = value }
            isConstant = isConstant && value == first
        }
    }

    /// Adds what was learnt of a parameter that is taken for the same.
    mutating func join(_ other: LearntParameter) {
        guard other.count > 0 else { return }
        count += other.count
        isList = isList || other.isList
        isInteger = isInteger && other.isInteger
        isNumber = isNumber && other.isNumber
        isBoolean = isBoolean && other.isBoolean
        text.join(other.text)
        first = first ?? other.first
        isConstant = isConstant && other.isConstant && first == other.first
    }

    /// The schema of the values; a list's where a request had several.
    func schema(name: String, _ mask: ExampleMask) -> JSONValue {
        var schema: [(name: String, value: JSONValue)] = []
        if text.count == 0 {
            schema = []
        } else if isNumber {
            schema.append(("type", .string(isInteger ? "integer" : "number")))
        } else if isBoolean {
            schema.append(("type", .string("boolean")))
        } else {
            schema.append(("type", .string("string")))
            if let format = text.format { schema.append(("format", .string(format.rawValue))) }
            if let values = mask.enumeration(text.enumeration, under: name) {
                schema.append(("enum", .array(values.map { .string($0) })))
            }
        }
        guard isList else { return .object(schema) }
        return .object([("type", .string("array")), ("items", .object(schema))])
    }

    /// The parameter as a parameter object.
    func document(name: String, location: OpenAPIParameter.Location, isRequired: Bool, _ mask: ExampleMask) -> JSONValue
    {
        let schema = schema(name: name, mask)
        var parameter: [(name: String, value: JSONValue)] = [
            ("name", .string(name)), ("in", .string(location.rawValue)),
        ]
        if isRequired { parameter.append(("required", .boolean(true))) }
        parameter.append(("schema", schema))
        let shown: JSONValue? = first.map {
            isNumber ? OpenAPICheck.number($0).map { .number($0) } ?? .null : .string($0)
        }
        if !isList, !isBoolean, schema["enum"] == nil, let shown, let example = mask.example(shown, under: name) {
            parameter.append(("example", example))
        }
        return .object(parameter)
    }
}
