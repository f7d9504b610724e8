/// Where a template stands, which decides how its values are written there; its own text stays as it is.
package enum TemplatePlace: Sendable {
    /// In a plain text, or in a field.
    case text
    /// Within a string of a JSON text.
    case json
    /// In a request's path: only the value of the path itself may hold a character that ends the path or a segment.
    case path
    /// In a request's query: no value may hold a character that ends an item or a name.
    case query
    /// In a text that is encoded behind, whatever it holds.
    case coded

    /// The place that follows a text: behind the path lies the query.
    func behind(_ text: String) -> TemplatePlace {
        self == .path && text.utf8.contains(UInt8(ascii: "?")) ? .query : self
    }

    /// Whether a value is written in this place as it is, and stays so.
    func isPlain(_ name: TemplateName) -> Bool {
        switch (self, name) {
        case (.text, _), (.path, .path): true
        default: false
        }
    }

    /// A value as it is written in this place.
    func written(_ value: String, of name: TemplateName) -> String {
        guard !isPlain(name) else { return value }
        return switch self {
        case .text, .coded: value
        case .json: String(decoding: JSONWriter.quoted(value).utf8.dropFirst().dropLast(), as: UTF8.self)
        case .path: PercentCoding.encoded(value.utf8, keeping: .segment)
        case .query: PercentCoding.encoded(value.utf8, keeping: .queryPart)
        }
    }
}
