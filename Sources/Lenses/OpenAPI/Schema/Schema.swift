import Traffic

/// A schema made ready for checking: what it asserts, and by number the schemas in it.
struct Schema: Sendable {
    /// A place in the `SchemaTable` that holds it.
    typealias Number = Int

    /// Where it stands in the document: `#/components/schemas/Facility`.
    var place: String
    /// The resource that it is in, as a place.
    var resource = SchemaNames.document
    /// `true` or `false` in the place of a schema (JSON Schema 2020-12).
    var constant: Bool?
    /// The types it takes; every one where it names none.
    var kinds = JSONKind.any
    /// Whether null passes whatever else is said (`nullable`).
    ///
    /// Generators write it beside `allOf`, where the letter of 3.0.3 gives it no meaning.
    var isNullable = false
    /// Sent only in responses, or only in requests: not required in the other.
    var isReadOnly = false
    var isWriteOnly = false

    /// The types that it asserts something of that is not understood, so that no verdict on a value of them is sure.
    var uncheckedKinds: JSONKind = []

    var enumeration: SchemaValues?
    var fixed: SchemaValues?

    /// Bounds are numbers, those with many digits with all of them.
    var minimum: JSONValue?
    var maximum: JSONValue?
    var exclusiveMinimum: JSONValue?
    var exclusiveMaximum: JSONValue?
    var multipleOf: JSONValue?

    var minLength: Int?
    var maxLength: Int?
    var pattern: SchemaPattern?
    var format: SchemaFormat?

    var prefixItems: [Number] = []
    var items: Number?
    var contains: Number?
    var minContains = 1
    var maxContains: Int?
    var minItems: Int?
    var maxItems: Int?
    var hasUniqueItems = false

    /// By their names to the byte, as all names in schemas and bodies are told apart (RFC 8259 §8.3).
    var properties: [ExactText: Number] = [:]
    var patternProperties: [(pattern: SchemaPattern, schema: Number)] = []
    /// Whether some of the patterns are not understood.
    var hasUnreadPatterns = false
    var additionalProperties: Number?
    var propertyNames: Number?
    var required: [String] = []
    var dependentRequired: [(name: String, needed: [String])] = []
    var minProperties: Int?
    var maxProperties: Int?

    var reference: Number?
    var allOf: [Number] = []
    var anyOf: [Number] = []
    var oneOf: [Number] = []
    var not: Number?
    /// What `then` holds for, and `otherwise` for the rest (`if`, `then`, `else`).
    var condition: Number?
    var then: Number?
    var otherwise: Number?
    /// What holds for an object that has a member.
    var dependentSchemas: [(name: String, schema: Number)] = []

    /// What `$dynamicRef` leads to, where more than one schema has its name.
    var dynamicReference: DynamicReference?

    /// What holds for the elements and members that nothing else for the same value speaks of.
    var unevaluatedItems: Number?
    var unevaluatedProperties: Number?

    /// Whether it has other schemas for the same value.
    var isComposed: Bool {
        reference != nil || !allOf.isEmpty || !anyOf.isEmpty || !oneOf.isEmpty || not != nil || condition != nil
            || !dependentSchemas.isEmpty || dynamicReference != nil
    }

    /// Other schemas that hold for some of its values.
    var branches: [Number] {
        [then, otherwise].compactMap { $0 } + dependentSchemas.map(\.schema) + (dynamicReference?.all ?? [])
    }

    /// Whether it says something of what nothing else speaks of.
    var asksForRest: Bool { unevaluatedItems != nil || unevaluatedProperties != nil }

    /// Whether it says something of the names that an object has, or of how many.
    var asksForNames: Bool {
        !required.isEmpty || !dependentRequired.isEmpty || minProperties != nil || maxProperties != nil
    }
}
