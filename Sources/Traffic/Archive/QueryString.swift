/// The query of a request target as names and values.
package enum QueryString {
    /// One `name=value`, decoded; a bare name has an empty value.
    package struct Item: Hashable, Sendable {
        package var name: String
        package var value: String
    }

    /// The items in order, decoded as forms are: `+` is a space, `%XX` a byte; an escape that is none stays as it is.
    package static func items(_ target: String) -> [Item] {
        guard let mark = target.firstIndex(of: "?") else { return [] }
        let query = target[target.index(after: mark)...].prefix { $0 != "#" }
        return query.split(separator: "&").map { part in
            let equals = part.firstIndex(of: "=") ?? part.endIndex
            return Item(name: decoded(part[..<equals]), value: decoded(part[equals...].dropFirst()))
        }
    }

    private static func decoded(_ text: Substring) -> String {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else {
            return String(text)
        }
        let source = Array(text.utf8)
        var bytes: [UInt8] = []
        var index = 0
        while index < source.count {
            if source[index] == UInt8(ascii: "%"), index + 2 < source.count,
                let high = nibble(source[index + 1]), let low = nibble(source[index + 2])
            {
                bytes.append(high << 4 | low)
                index += 3
            } else {
                bytes.append(source[index] == UInt8(ascii: "+") ? ASCII.space : source[index])
                index += 1
            }
        }
        return ByteText.lossless(bytes)
    }

    private static func nibble(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}
