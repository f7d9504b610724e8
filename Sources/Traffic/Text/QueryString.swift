/// The query of a request target as names and values.
///
/// All is told apart by bytes: a combining mark behind a `?`, `&` or `=` makes one character with it.
package enum QueryString {
    /// One `name=value`, decoded; a bare name has an empty value.
    package struct Item: Hashable, Sendable {
        package var name: String
        package var value: String
    }

    /// The items in order, decoded as forms are: `+` is a space, `%XX` a byte; an invalid escape stays as it is.
    package static func items(_ target: String) -> [Item] {
        items(form: pairs(target))
    }

    /// The items of a form's text, in which `#` is an ordinary character (WHATWG URL §5.1).
    package static func items(form text: some StringProtocol) -> [Item] { items(form: pairs(form: text)) }

    private static func items(form pairs: [Pair]) -> [Item] {
        pairs.map { Item(name: decoded($0.name), value: decoded($0.value)) }
    }

    // MARK: As sent

    /// One `name=value` as it was sent.
    package typealias Pair = (name: Substring, value: Substring)

    /// The items of a target's query, which a `#` ends.
    package static func pairs(_ target: String) -> [Pair] {
        guard let query = split(target).query else { return [] }
        return pairs(form: query[..<(query.utf8.firstIndex(of: UInt8(ascii: "#")) ?? query.endIndex)])
    }

    /// The items of a form's text; a bare name has an empty value.
    package static func pairs(form text: some StringProtocol) -> [Pair] {
        Substring(text).utf8.split(separator: UInt8(ascii: "&")).map { pair(Substring($0)) }
    }

    /// What stands between the `&` of a query, empty parts too.
    package static func parts(_ query: Substring) -> [Substring] {
        query.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).map { Substring($0) }
    }

    /// The name and the value of one part.
    package static func pair(_ part: Substring) -> Pair {
        let equals = part.utf8.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
        return (part[..<equals], Substring(part.utf8[equals...].dropFirst()))
    }

    /// What stands between the `/` of a path, without empty parts.
    package static func steps(_ path: Substring) -> [Substring] {
        path.utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) }
    }

    /// The path of a target, and its query without the `?`; `nil` where it has no `?`.
    package static func split(_ target: String) -> (path: Substring, query: Substring?) {
        guard let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) else { return (target[...], nil) }
        return (target[..<mark], target[target.utf8.index(after: mark)...])
    }

    private static func decoded(_ text: Substring) -> String {
        guard PercentCoding.isCoded(text.utf8) else {
            return String(text)
        }
        return ByteText.lossless(PercentCoding.decoded(text.utf8))
    }
}
