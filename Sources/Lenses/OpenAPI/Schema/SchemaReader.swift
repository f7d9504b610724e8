import Traffic

/// A reader of a document's schemas into a table, each place once, so that references may form circles.
struct SchemaReader {
    /// The most schemas of one document.
    private static let limit = 100_000
    /// The most characters of all their places together: each place repeats the names of those around it.
    private static let placesLimit = 64 << 20
    /// The most different expressions: a few characters may be thousands of steps.
    private static let patternsLimit = 2_000

    let tree: DocumentTree
    private let schemaNames: SchemaNames
    /// The dialect of schemas that name none (OpenAPI 3.1 §4.8.1).
    private let dialect: String?
    private(set) var table = SchemaTable()
    private var placesLeft = SchemaReader.placesLimit
    /// The expressions that were read, by their bytes; `nil` for a text that is no expression.
    private var patterns: [ExactText: SchemaPattern?] = [:]
    private let expressions: SchemaPatterns
    /// The targets of dynamic references, by the name that the schemas have.
    private var dynamicTargets: [String: DynamicTargets] = [:]

    /// - Parameters:
    ///   - tree: the document.
    ///   - triedLimit: the steps of expressions after which all are forgotten.
    init(_ tree: DocumentTree, triedLimit: Int = SchemaPatterns.triedLimit) {
        self.tree = tree
        expressions = SchemaPatterns(triedLimit: triedLimit)
        schemaNames = tree.isOld ? SchemaNames() : SchemaNames(tree.root)
        dialect = tree.isOld ? nil : tree.root["jsonSchemaDialect"]?.string
    }

    /// The schemas that have a number and are not read yet: a chain of references may be as long as the document.
    private var waiting: [(number: Schema.Number, value: JSONValue, place: String)] = []

    /// The number of the schema at a place.
    ///
    /// - Throws: `OpenAPIProblem` where the value is no schema.
    mutating func read(_ value: JSONValue, _ place: String) throws(OpenAPIProblem) -> Schema.Number {
        let number = try take(value, place)
        while let next = waiting.popLast() { try read(next.value, next.place, as: next.number) }
        return number
    }

    /// The number of a schema within the value that is being read; nests as deep as the document.
    private mutating func take(_ value: JSONValue, _ place: String) throws(OpenAPIProblem) -> Schema.Number {
        if let number = table.number(at: place) { return number }
        let number = try reserve(place)
        try read(value, place, as: number)
        return number
    }

    /// The number of a schema that is referred to, which is read later.
    private mutating func refer(to found: String, from place: String) throws(OpenAPIProblem) -> Schema.Number {
        if let number = table.number(at: found) { return number }
        let node = try tree.node(at: found, from: place)
        if let number = table.number(at: node.place) { return number }
        let number = try reserve(node.place)
        waiting.append((number, node.value, node.place))
        return number
    }

    private mutating func reserve(_ place: String) throws(OpenAPIProblem) -> Schema.Number {
        guard table.schemas.count < SchemaReader.limit else {
            throw OpenAPIProblem(at: place, "the document has more than \(SchemaReader.limit) schemas")
        }
        placesLeft -= place.utf8.count
        guard placesLeft >= 0 else {
            throw OpenAPIProblem("the names in the document are too long, and its schemas too many for that")
        }
        return table.reserve(place)
    }

    private mutating func read(_ value: JSONValue, _ place: String, as number: Schema.Number) throws(OpenAPIProblem) {
        var schema = Schema(place: place, resource: schemaNames.resource(of: place))
        if let constant = value.boolean {
            schema.constant = constant
        } else if let dialect = value["$schema"]?.string ?? dialect, !SchemaReader.isKnown(dialect) {
            // Only the schema's own dialect tells which of its keywords assert something.
            table.leaveUnchecked("$schema \(dialect)", at: place)
            schema.uncheckedKinds = .any
        } else {
            guard value.isObject else { throw OpenAPIProblem(at: place, "expected a schema, found \(value.kind)") }
            let reference = value["$ref"]?.string
            if let reference { schema.reference = try target(of: reference, "$ref", &schema) }
            // OpenAPI 3.0 gives no meaning to anything beside a reference.
            if reference == nil || !tree.isOld { try fill(&schema, from: value, place) }
        }
        table.set(number, schema)
    }

    /// Whether a dialect is JSON Schema's own or OpenAPI's, whose keywords are read here.
    private static func isKnown(_ dialect: String) -> Bool {
        let address = dialect.split(separator: "://").last ?? ""
        return ["json-schema.org/", "spec.openapis.org/"].contains { address.hasPrefix($0) }
    }

    /// What a reference of a schema leads to; `nil` where it leads into another file, or to a name that nothing has: what it says is not known, and the rest
    /// of the document is.
    private mutating func target(of reference: String, _ keyword: String, _ schema: inout Schema) throws(OpenAPIProblem)
        -> Schema.Number?
    {
        if let found = schemaNames.place(of: reference, from: schema.place) {
            return try refer(to: whole(found, reference, from: schema.place), from: schema.place)
        }
        table.leaveUnchecked("\(keyword) to \(reference)", at: schema.place)
        schema.uncheckedKinds = .any
        return nil
    }

    /// Where a reference leads: into the document, where the resource that it stands in has no such place.
    ///
    /// By the letter `#/components/…` leads into the nearest schema round it that has an `$id` (JSON Schema Core §8.2.1). Those who write it beside one mean
    /// the document, and the tools of OpenAPI read it so.
    private func whole(_ found: String, _ reference: String, from place: String) -> String {
        let plain = SchemaNames.document + DocumentTree.pointer(reference.dropFirst())
        guard reference.hasPrefix("#/"), found != plain, table.number(at: found) == nil else { return found }
        return (try? tree.node(at: found, from: place)) == nil ? plain : found
    }

    private mutating func fill(_ schema: inout Schema, from value: JSONValue, _ place: String) throws(OpenAPIProblem) {
        let isExclusive = (
            low: value["exclusiveMinimum"]?.boolean == true, high: value["exclusiveMaximum"]?.boolean == true
        )
        for member in try tree.members(value, place) {
            if try general(&schema, member) { continue }
            if try numeric(&schema, member, isExclusive) { continue }
            if try textual(&schema, member) { continue }
            if try list(&schema, member) { continue }
            if try object(&schema, member) { continue }
            if try composed(&schema, member) { continue }
            if !tree.isOld, try newer(&schema, member) { continue }
            if let kinds = SchemaReader.assertions[member.name] {
                table.leaveUnchecked(member.name, at: place)
                schema.uncheckedKinds.formUnion(kinds)
            }
        }
    }

    /// Keywords that forbid something and are not understood, with the types of which they do; any other is a remark.
    private static let assertions: [String: JSONKind] = [
        "if": .any, "then": [], "else": [], "dependentSchemas": .object, "dependencies": .object,
        "unevaluatedItems": .array, "unevaluatedProperties": .object, "$dynamicRef": .any, "$recursiveRef": .any,
        "additionalItems": .array,
    ]

    private typealias Member = (name: String, value: JSONValue, place: String)

    private mutating func general(_ schema: inout Schema, _ member: Member) throws(OpenAPIProblem) -> Bool {
        switch member.name {
        case "type":
            let names = member.value.string.map { [$0] } ?? member.value.elements?.compactMap(\.string) ?? []
            var kinds: JSONKind = []
            for name in names {
                guard let kind = JSONKind(name: name) else {
                    throw OpenAPIProblem(at: member.place, "there is no type \(name)")
                }
                kinds.formUnion(kind)
            }
            guard !kinds.isEmpty, names.count == member.value.elements?.count ?? 1 else {
                throw OpenAPIProblem(at: member.place, "expected a type such as string, or a list of types")
            }
            schema.kinds = kinds.contains(.number) ? kinds.union(.integer) : kinds
        case "nullable": schema.isNullable = tree.isOld && member.value.boolean == true
        case "readOnly": schema.isReadOnly = member.value.boolean == true
        case "writeOnly": schema.isWriteOnly = member.value.boolean == true
        case "enum":
            guard let values = member.value.elements else { throw expected("a list of values", member) }
            schema.enumeration = SchemaValues(values)
        case "const": schema.fixed = SchemaValues([member.value])
        default: return false
        }
        return true
    }

    private mutating func numeric(
        _ schema: inout Schema,
        _ member: Member,
        _ isExclusive: (low: Bool, high: Bool)
    ) throws(OpenAPIProblem) -> Bool {
        switch member.name {
        case "minimum":
            let bound = try number(member)
            if isExclusive.low { schema.exclusiveMinimum = bound } else { schema.minimum = bound }
        case "maximum":
            let bound = try number(member)
            if isExclusive.high { schema.exclusiveMaximum = bound } else { schema.maximum = bound }
        case "exclusiveMinimum": if member.value.boolean == nil { schema.exclusiveMinimum = try number(member) }
        case "exclusiveMaximum": if member.value.boolean == nil { schema.exclusiveMaximum = try number(member) }
        case "multipleOf":
            let factor = try number(member)
            guard JSONValue.number(0).isLess(than: factor) else { throw expected("a number above 0", member) }
            schema.multipleOf = factor
            if factor.numeral?.canDivide == false {
                table.leaveUnchecked("multipleOf \(factor.brief)", at: member.place)
            }
        default: return false
        }
        return true
    }

    private mutating func textual(_ schema: inout Schema, _ member: Member) throws(OpenAPIProblem) -> Bool {
        switch member.name {
        case "minLength": schema.minLength = try count(member)
        case "maxLength": schema.maxLength = try count(member)
        case "pattern":
            schema.pattern = pattern(try text(member), member.place)
            if schema.pattern == nil { schema.uncheckedKinds.formUnion(.string) }
        case "format":
            let name = try text(member)
            schema.format = SchemaFormat(rawValue: name)
            if schema.format == nil, !SchemaFormat.annotations.contains(name) {
                table.leaveUnchecked("format \(name)", at: member.place)
                schema.uncheckedKinds.formUnion(SchemaFormat.texts.contains(name) ? .string : .any)
            }
        default: return false
        }
        return true
    }

    private mutating func list(_ schema: inout Schema, _ member: Member) throws(OpenAPIProblem) -> Bool {
        switch member.name {
        case "items":
            guard member.value.elements == nil else {
                throw expected("a schema (a list of them is prefixItems)", member)
            }
            schema.items = try take(member.value, member.place)
        case "prefixItems": schema.prefixItems = try schemas(member)
        case "contains": schema.contains = try take(member.value, member.place)
        case "minContains": schema.minContains = try count(member)
        case "maxContains": schema.maxContains = try count(member)
        case "minItems": schema.minItems = try count(member)
        case "maxItems": schema.maxItems = try count(member)
        case "uniqueItems": schema.hasUniqueItems = member.value.boolean == true
        default: return false
        }
        return true
    }

    private mutating func object(_ schema: inout Schema, _ member: Member) throws(OpenAPIProblem) -> Bool {
        switch member.name {
        case "properties":
            for property in try tree.members(member.value, member.place) {
                schema.properties[ExactText(property.name)] = try take(property.value, property.place)
            }
        case "patternProperties":
            for property in try tree.members(member.value, member.place) {
                let number = try take(property.value, property.place)
                if let pattern = pattern(property.name, property.place) {
                    schema.patternProperties.append((pattern, number))
                } else {
                    schema.hasUnreadPatterns = true
                }
            }
        case "additionalProperties": schema.additionalProperties = try take(member.value, member.place)
        case "propertyNames": schema.propertyNames = try take(member.value, member.place)
        case "required": schema.required = try names(member)
        case "dependentRequired":
            for dependent in try tree.members(member.value, member.place) {
                schema.dependentRequired.append((dependent.name, try names(dependent)))
            }
        case "minProperties": schema.minProperties = try count(member)
        case "maxProperties": schema.maxProperties = try count(member)
        default: return false
        }
        return true
    }

    private mutating func composed(_ schema: inout Schema, _ member: Member) throws(OpenAPIProblem) -> Bool {
        switch member.name {
        case "allOf": schema.allOf += try schemas(member)
        case "anyOf": schema.anyOf = try schemas(member)
        case "oneOf": schema.oneOf = try schemas(member)
        case "not": schema.not = try take(member.value, member.place)
        default: return false
        }
        return true
    }

    /// Keywords that OpenAPI has from 3.1 on.
    private mutating func newer(_ schema: inout Schema, _ member: Member) throws(OpenAPIProblem) -> Bool {
        switch member.name {
        case "if": schema.condition = try take(member.value, member.place)
        case "then": schema.then = try take(member.value, member.place)
        case "else": schema.otherwise = try take(member.value, member.place)
        case "dependentSchemas":
            for dependent in try tree.members(member.value, member.place) {
                schema.dependentSchemas.append((dependent.name, try take(dependent.value, dependent.place)))
            }
        case "unevaluatedItems": schema.unevaluatedItems = try take(member.value, member.place)
        case "unevaluatedProperties": schema.unevaluatedProperties = try take(member.value, member.place)
        case "$dynamicRef": return try dynamic(&schema, member)
        default: return false
        }
        return true
    }

    private mutating func dynamic(_ schema: inout Schema, _ member: Member) throws(OpenAPIProblem) -> Bool {
        guard let reference = member.value.string else { return false }
        guard let number = try target(of: reference, "$dynamicRef", &schema) else { return true }
        guard let name = schemaNames.dynamicName(of: reference, at: table[number].place) else {
            schema.allOf.append(number)
            return true
        }
        guard !name.isRepeated else { return false }
        schema.dynamicReference = DynamicReference(initial: number, targets: try targets(of: name, from: member.place))
        table.isDynamic = true
        return true
    }

    /// The schemas of a name, found once for all references to it.
    private mutating func targets(of name: SchemaNames.DynamicName, from place: String) throws(OpenAPIProblem)
        -> DynamicTargets
    {
        if let known = dynamicTargets[name.text] { return known }
        var byResource: [String: Schema.Number] = [:]
        for (resource, found) in name.places.sorted(by: { $0.key < $1.key }) {
            byResource[resource] = try refer(to: found, from: place)
        }
        let targets = DynamicTargets(byResource)
        dynamicTargets[name.text] = targets
        return targets
    }

    // MARK: values

    private mutating func schemas(_ member: Member) throws(OpenAPIProblem) -> [Schema.Number] {
        guard let elements = member.value.elements, !elements.isEmpty else {
            throw expected("a list of schemas", member)
        }
        var numbers: [Schema.Number] = []
        for (index, element) in elements.enumerated() {
            numbers.append(try take(element, JSONPointer.child(index, of: member.place)))
        }
        return numbers
    }

    /// An expression, or `nil` with a note that it is not checked: what needs backtracking could take for ever.
    private mutating func pattern(_ source: String, _ place: String) -> SchemaPattern? {
        let key = ExactText(source)
        if let known = patterns[key] { return known }
        guard patterns.count < SchemaReader.patternsLimit else {
            table.leaveUnchecked("pattern \(source) (there are too many others)", at: place)
            return nil
        }
        var pattern: SchemaPattern?
        do {
            pattern = try expressions.read(source)
        } catch {
            table.leaveUnchecked("pattern \(source) (\(error))", at: place)
        }
        patterns[key] = .some(pattern)
        return pattern
    }

    private func number(_ member: Member) throws(OpenAPIProblem) -> JSONValue {
        guard member.value.numeral != nil else { throw expected("a number", member) }
        return member.value
    }

    /// Reads a count; a count beyond what any value can have becomes the greatest.
    private func count(_ member: Member) throws(OpenAPIProblem) -> Int {
        guard let number = member.value.numeral, number.isInteger, !number.isNegative else {
            throw expected("a whole number of 0 or more", member)
        }
        return member.value.integer.map { Int($0) } ?? .max
    }

    private func text(_ member: Member) throws(OpenAPIProblem) -> String {
        guard let text = member.value.string else { throw expected("a text", member) }
        return text
    }

    private func names(_ member: Member) throws(OpenAPIProblem) -> [String] {
        guard let elements = member.value.elements, case let names = elements.compactMap(\.string),
            names.count == elements.count
        else { throw expected("a list of names", member) }
        return names
    }

    private func expected(_ what: String, _ member: Member) -> OpenAPIProblem {
        OpenAPIProblem(at: member.place, "expected \(what), found \(member.value.brief)")
    }
}
