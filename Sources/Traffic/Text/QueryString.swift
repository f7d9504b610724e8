/// The query of a request target as names and values.
package enum QueryString {
    /// One `name=value`, decoded; a bare name has an empty value.
    package struct Item: Hashable, Sendable {
        package var name: String
        package var value: String
    }

    /// The items in order, decoded as forms are: `+` is a space, `%XX` a byte; an invalid escape stays as it is.
    package static func items(_ target: String) -> [Item] {
        // By bytes: a combining mark behind a `?` makes one character with it.
        guard let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) else { return [] }
        let query = target[target.utf8.index(after: mark)...]
        return items(form: query[..<(query.utf8.firstIndex(of: UInt8(ascii: "#")) ?? query.endIndex)])
    }

    /// The items of a form's text, in which `#` is an ordinary character (WHATWG URL §5.1).
    package static func items(form text: some StringProtocol) -> [Item] {
        Substring(text).utf8.split(separator: UInt8(ascii: "&")).map { part in
            let equals = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
            let value = part[equals...].dropFirst()
            return Item(name: decoded(Substring(part[..<equals])), value: decoded(Substring(value)))
        }
    }

    private static func decoded(_ text: Substring) -> String {
        guard PercentCoding.isCoded(text.utf8) else {
            return String(text)
        }
        return ByteText.lossless(PercentCoding.decoded(text.utf8))
    }
}
