/// Names of places in a JSON text (RFC 6901).
package enum JSONPointer {
    /// The pointer of a member or element under another.
    package static func child(_ name: some StringProtocol, of parent: String = "") -> String {
        guard name.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else {
            return parent + "/" + name
        }
        var pointer = parent + "/"
        for character in name.unicodeScalars {
            switch character {
            case "~": pointer += "~0"
            case "/": pointer += "~1"
            default: pointer.unicodeScalars.append(character)
            }
        }
        return pointer
    }

    /// The names on the way that a pointer leads; none for the empty one, which is the whole text; `nil` where the text is no pointer.
    static func names(_ text: String) -> [String]? {
        guard !text.isEmpty else { return [] }
        guard text.utf8.first == UInt8(ascii: "/") else { return nil }
        var names: [String] = []
        for part in text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst() {
            var name: [UInt8] = []
            var rest = part[...]
            while let byte = rest.popFirst() {
                guard byte == UInt8(ascii: "~") else {
                    name.append(byte)
                    continue
                }
                switch rest.popFirst() {
                case UInt8(ascii: "0"): name.append(UInt8(ascii: "~"))
                case UInt8(ascii: "1"): name.append(UInt8(ascii: "/"))
                default: return nil
                }
            }
            names.append(String(decoding: name, as: UTF8.self))
        }
        return names
    }

    /// The pointer of an element under another.
    package static func child(_ index: Int, of parent: String = "") -> String { "\(parent)/\(index)" }
}
