import Traffic

extension BodyText {
    /// The most members that are read.
    private static let memberLimit = 64

    /// The members of the object that a body begins with, each as its name and the first byte of its value, and whether the object is whole.
    ///
    /// Reads brackets and quotes alone, so that a text that is cut off tells the members it has.
    /// `nil` where the body is no object, or has too many members.
    var members: (members: [(name: String, first: UInt8)], isWhole: Bool)? {
        guard isObject else { return nil }
        var members: [(name: String, first: UInt8)] = []
        var (depth, place) = (0, 0)
        /// The text that was read last, and whether a colon came after it.
        var (name, isNamed): (String?, Bool) = (nil, false)
        while place < bytes.count {
            let byte = bytes[place]
            if isNamed, let named = name, !BodyText.isBlank(byte) {
                members.append((named, byte))
                (name, isNamed) = (nil, false)
                if members.count > BodyText.memberLimit { return nil }
            }
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 { return (members, true) }
            case UInt8(ascii: "\""):
                let start = place + 1
                place = start
                while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
                    place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
                }
                if depth == 1, place < bytes.count { name = ByteText.repaired(bytes[start..<place]) }
            case UInt8(ascii: ":") where depth == 1: isNamed = true
            default: break
            }
            place += 1
        }
        return (members, false)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }
}
