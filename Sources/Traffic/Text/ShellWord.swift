/// Bytes as one word of a shell command, quoted only when they have to be.
///
/// Text that is safe to look at stands in single quotes, where only the single quote is special to a shell. Anything else (control characters, bytes
/// that are no UTF-8, characters that turn the direction of writing) is escaped in `$'…'`, which bash and zsh read. Other shells, such as Debian's
/// `sh`, do not; a command for them takes words of `init(posix:)`.
package struct ShellWord: CustomStringConvertible, Sendable {
    package let description: String

    /// A text as a word; a NUL, which no word can hold, ends it.
    package init(_ text: String) {
        self.init(bytes: Array(text.utf8))
    }

    /// Bytes as a word; a NUL, which no word can hold, ends it.
    package init(bytes: [UInt8]) {
        let bytes = Array(bytes.prefix { $0 != 0 })
        if let text = String(validating: bytes, as: UTF8.self),
            text.unicodeScalars.allSatisfy({ $0 == "\n" || VisibleText.isVisible($0) })
        {
            description = Self.quoted(text)
        } else {
            description = "$'" + bytes.map(Self.escaped).joined() + "'"
        }
    }

    /// A text as a word of any POSIX shell; a NUL, which no word can hold, ends it.
    ///
    /// Characters that are not safe to look at stand in it as they are, so whoever shows the word has to make them visible.
    package init(posix text: String) {
        description = Self.quoted(String(decoding: text.utf8.prefix { $0 != 0 }, as: UTF8.self))
    }

    /// Inside single quotes only a single quote is special: end them, escape one, begin anew.
    private static func quoted(_ text: String) -> String {
        let isPlain = !text.isEmpty && text.utf8.allSatisfy(Self.isPlain)
        return isPlain ? text : "'" + text.replacing(scalars: ["'": #"'\''"#]) + "'"
    }

    private static func escaped(_ byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: "'"): #"\'"#
        case UInt8(ascii: "\\"): #"\\"#
        case UInt8(ascii: "\n"): #"\n"#
        case 0x20..<0x7F: String(Unicode.Scalar(byte))
        default: #"\x"# + Hexadecimal.text([byte])
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
