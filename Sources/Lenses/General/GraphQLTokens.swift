/// The names and punctuators of a GraphQL document, without its strings and comments.
struct GraphQLTokens {
    private let text: [UInt8]
    private var position = 0
    /// The next token; `nil` at the end.
    private(set) var peek: String?

    init(_ text: String) {
        self.text = Array(text.utf8)
        peek = read()
    }

    /// Takes the next token.
    mutating func next() -> String? {
        defer { if peek != nil { peek = read() } }
        return peek
    }

    /// Takes the tokens up to a wanted one outside of parentheses, and that one too; says whether it was found.
    mutating func skip(to wanted: String) -> Bool {
        var depth = 0
        while let token = next() {
            if token == wanted, depth == 0 { return true }
            if token == "(" { depth += 1 }
            if token == ")" { depth -= 1 }
        }
        return false
    }

    /// Whether a token is a name.
    static func isName(_ token: String) -> Bool {
        token.utf8.first.map { $0 == UInt8(ascii: "_") || isLetter($0) } ?? false
    }

    private mutating func read() -> String? {
        while position < text.count {
            let byte = text[position]
            switch byte {
            case UInt8(ascii: "#"): while position < text.count, text[position] != 0x0A { position += 1 }
            case UInt8(ascii: "\""):
                skipString()
                return "\"\""
            case UInt8(ascii: ".") where text[position...].starts(with: "...".utf8):
                position += 3
                return "..."
            case _ where isNamed(byte):
                let start = position
                while position < text.count, isNamed(text[position]) { position += 1 }
                return String(decoding: text[start..<position], as: UTF8.self)
            case _ where "{}()[]:@!=$|&".utf8.contains(byte):
                position += 1
                return String(UnicodeScalar(byte))
            default: position += 1
            }
        }
        return nil
    }

    private mutating func skipString() {
        let isBlock = text[position...].starts(with: "\"\"\"".utf8)
        position += isBlock ? 3 : 1
        while position < text.count {
            if text[position] == UInt8(ascii: "\\") {
                position += 2
            } else if isBlock, text[position...].starts(with: "\"\"\"".utf8) {
                position += 3
                return
            } else if !isBlock, text[position] == UInt8(ascii: "\"") {
                position += 1
                return
            } else {
                position += 1
            }
        }
        position = min(position, text.count)
    }

    private func isNamed(_ byte: UInt8) -> Bool {
        GraphQLTokens.isLetter(byte) || byte == UInt8(ascii: "_") || (0x30...0x39).contains(byte)
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) }
}
