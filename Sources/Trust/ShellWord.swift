/// A text as one word of a POSIX shell command, quoted only when it has to be.
struct ShellWord: CustomStringConvertible {
    let description: String

    init(_ text: String) {
        if !text.isEmpty, text.utf8.allSatisfy(Self.isPlain) {
            description = text
        } else {
            // Inside single quotes only a single quote is special: end them, escape one, begin anew.
            description = "'" + text.replacing("'", with: #"'\''"#) + "'"
        }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "@"):
            true
        default:
            false
        }
    }
}
