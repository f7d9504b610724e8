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

    /// The pointer of an element under another.
    package static func child(_ index: Int, of parent: String = "") -> String { "\(parent)/\(index)" }
}
