/// The query of a request target as names and values.
package enum QueryString {
    /// One `name=value`, decoded; a bare name has an empty value.
    package struct Item: Hashable, Sendable {
        package var name: String
        package var value: String
    }

    /// The items in order, decoded as forms are: `+` is a space, `%XX` a byte; an invalid escape stays as it is.
    package static func items(_ target: String) -> [Item] {
        guard let mark = target.firstIndex(of: "?") else { return [] }
        return items(form: target[target.index(after: mark)...].prefix { $0 != "#" })
    }

    /// The items of a form's text, in which `#` is an ordinary character (WHATWG URL §5.1).
    package static func items(form text: some StringProtocol) -> [Item] {
        Substring(text).split(separator: "&").map { part in
            let equals = part.firstIndex(of: "=") ?? part.endIndex
            return Item(name: decoded(part[..<equals]), value: decoded(part[equals...].dropFirst()))
        }
    }

    private static func decoded(_ text: Substring) -> String {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else {
            return String(text)
        }
        return ByteText.lossless(PercentCoding.decoded(text.utf8))
    }
}
