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
    static func decoded(_ text: Substring) -> String { unescaped(text, plus: " ") }

    /// A piece of a path with `%XX` as a byte.
    static func decodedPath(_ text: Substring) -> String { unescaped(text, plus: "+") }

    private static func unescaped(_ text: Substring, plus: Unicode.Scalar) -> String {
        let source = Array(text.utf8)
        var bytes: [UInt8] = []
        var index = 0
        while index < source.count {
            if source[index] == UInt8(ascii: "%"), index + 2 < source.count, let high = digit(source[index + 1]),
                let low = digit(source[index + 2])
            {
                bytes.append(high << 4 | low)
                index += 3
            } else {
                bytes.append(source[index] == UInt8(ascii: "+") ? UInt8(ascii: plus) : source[index])
                index += 1
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}
