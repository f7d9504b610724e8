import Traffic

/// A schema prepared for checking: its assertions, and the schemas in it by their numbers.
struct Schema: Sendable {
    /// A place in the `SchemaTable` that holds it.
    typealias Number = Int

    /// The schema's place in the document: `#/components/schemas/Facility`.
    var place: String
    /// The place of the resource that the schema is in.
    var resource = SchemaNames.document
    /// `true` or `false` in the place of a schema (JSON Schema 2020-12).
    var constant: Bool?
    /// The types that the schema accepts; all where it names none.
    var kinds = JSONKind.any
    /// Whether null passes, whatever else the schema says (`nullable`).
    ///
    /// Generators write `nullable` beside `allOf` too, where the letter of 3.0.3 gives it no meaning.
    var isNullable = false
    /// Whether the member is sent only in responses (`isReadOnly`) or only in requests: it is not required in the other.
    var isReadOnly = false
    var isWriteOnly = false

    /// The types for which the schema has assertions that are not understood, so that no verdict on such a value is sure.
    var uncheckedKinds: JSONKind = []

    var enumeration: SchemaValues?
    var fixed: SchemaValues?

    /// The bounds of numbers, with all of their digits.
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

    /// The members' schemas by name; names are compared by their bytes, as everywhere in schemas and bodies (RFC 8259 §8.3).
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
    /// The schema whose values must keep to `then`, and all others to `otherwise` (`if`, `then`, `else`).
    var condition: Number?
    var then: Number?
    var otherwise: Number?
    /// The schemas for an object that has a member, by the member.
    var dependentSchemas: [(name: String, schema: Number)] = []

    /// The reference of `$dynamicRef`, where more than one schema has its name.
    var dynamicReference: DynamicReference?

    /// The schemas for the elements and members that no other schema for the same value describes.
    var unevaluatedItems: Number?
    var unevaluatedProperties: Number?

    /// Whether the schema has other schemas for the same value.
    var isComposed: Bool {
        reference != nil || !allOf.isEmpty || !anyOf.isEmpty || !oneOf.isEmpty || not != nil || condition != nil
            || !dependentSchemas.isEmpty || dynamicReference != nil
    }

    /// The other schemas that hold for some values.
    var branches: [Number] {
        [then, otherwise].compactMap { $0 } + dependentSchemas.map(\.schema) + (dynamicReference?.all ?? [])
    }

    /// Whether the schema asserts something of elements or members that no other schema describes.
    var asksForRest: Bool { unevaluatedItems != nil || unevaluatedProperties != nil }

    /// Whether the schema asserts something of an object's names, or of their count.
    var asksForNames: Bool {
        !required.isEmpty || !dependentRequired.isEmpty || minProperties != nil || maxProperties != nil
    }
}
