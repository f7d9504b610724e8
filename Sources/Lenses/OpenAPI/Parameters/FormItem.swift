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
        items(QueryString.pairs(form: text))
    }

    /// The items of a request target's query, which a `#` ends.
    static func items(ofTarget target: String) -> [FormItem] {
        items(QueryString.pairs(target))
    }

    private static func items(_ pairs: [QueryString.Pair]) -> [FormItem] {
        pairs.map { FormItem(name: decoded($0.name), raw: $0.value) }
    }

    /// Decodes a text: `+` as a space and `%XX` as a byte; an escape that is not valid stays as it is.
    static func decoded(_ text: Substring) -> String { PercentCoding.text(text) }

    /// Decodes a piece of a path: `%XX` as a byte.
    static func decodedPath(_ text: Substring) -> String { PercentCoding.text(text, plus: .plus) }
}
