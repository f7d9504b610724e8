import Traffic

/// An item `name=value` of a query or a form, with its value as it was sent.
///
/// Only before escapes are undone can the separators of a list be told from the same characters in its elements.
struct FormItem: Sendable {
    /// The name, escapes undone.
    let name: String
    /// The value as it was sent; empty for a bare name.
    let raw: Substring

    /// The value, escapes undone.
    var value: String { FormItem.decoded(raw) }

    /// The items of a form's text (WHATWG URL §5.1), in which `#` has no meaning.
    static func items(_ text: some StringProtocol) -> [FormItem] {
        Substring(text).split(separator: "&").map { part in
            let equals = part.firstIndex(of: "=") ?? part.endIndex
            return FormItem(name: decoded(part[..<equals]), raw: part[equals...].dropFirst())
        }
    }

    /// The items of a request target's query, which a `#` ends.
    static func items(ofTarget target: String) -> [FormItem] {
        guard let mark = target.firstIndex(of: "?") else { return [] }
        return items(target[target.index(after: mark)...].prefix { $0 != "#" })
    }

    /// Decodes a text: `+` as a space and `%XX` as a byte; an escape that is not valid stays as it is.
    static func decoded(_ text: Substring) -> String { PercentCoding.text(text) }

    /// Decodes a piece of a path: `%XX` as a byte.
    static func decodedPath(_ text: Substring) -> String { PercentCoding.text(text, plus: .plus) }
}
