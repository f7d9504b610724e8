/// Where a template stands, which decides how its values are written there; its own text stays as it is.
package enum TemplatePlace: Sendable {
    /// In a plain text, or in a field.
    case text
    /// Within a string of a JSON text.
    case json
    /// In a request's path: only the value of the path itself may hold a character that ends the path or a segment.
    case path
    /// In a request's query, within an item.
    case query

    /// A value as it is written in this place.
    func written(_ value: String, of name: TemplateName) -> String {
        switch (self, name) {
        case (.text, _), (.path, .path): value
        case (.json, _): String(decoding: JSONWriter.quoted(value).utf8.dropFirst().dropLast(), as: UTF8.self)
        case (.query, _): PercentCoding.encoded(value.utf8, keeping: .queryPart)
        case (.path, _): PercentCoding.encoded(value.utf8, keeping: .segment)
        }
    }
}
