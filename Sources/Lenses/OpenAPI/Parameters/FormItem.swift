import Traffic

/// One `name=value` of a query or a form, its value as it was sent: what parts the elements of a list is told from what stands in them only before escapes
/// are undone.
struct FormItem: Sendable {
    /// Escapes undone.
    let name: String
    /// As it was sent; empty for a bare name.
    let raw: Substring

    /// The value, escapes undone.
    var value: String { FormItem.decoded(raw) }

    /// The items of a form's text (WHATWG URL §5.1): a `#` is a character as any other.
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

    /// A text with `+` as a space and `%XX` as a byte; an escape that is none stays as it is.
    static func decoded(_ text: Substring) -> String { PercentCoding.text(text) }

    /// A piece of a path with `%XX` as a byte.
    static func decodedPath(_ text: Substring) -> String { PercentCoding.text(text, plus: .plus) }
}
