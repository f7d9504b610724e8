/// Blanks out what is not code in a Swift text: comments and string literals, with whatever they interpolate.
///
/// A small lexer over bytes and no parser: it knows nested comments, raw and multi-line strings, and regex literals on one line.
struct CodeOnly {
    private let bytes: [UInt8]
    private var position = 0
    private var output: [UInt8] = []

    /// The text with comments and string literals as blanks, of as many lines.
    static func blanking(_ text: String) -> String {
        var lexer = CodeOnly(bytes: Array(text.utf8))
        lexer.run()
        return String(decoding: lexer.output, as: UTF8.self)
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
        output.reserveCapacity(bytes.count)
    }

    private mutating func run() {
        while position < bytes.count {
            if isAt("//") {
                while position < bytes.count, !isAt("\n") { blank(1) }
            } else if isAt("/*") {
                blankComment()
            } else if isAt("\"") || isAt("#\"") || isAt("##\"") {
                blankString()
            } else if isAtRegex {
                blankRegex()
            } else {
                output.append(bytes[position])
                position += 1
            }
        }
    }

    /// Whether a regex literal starts here: a slash where no operand went before, and no blank after.
    private var isAtRegex: Bool {
        guard isAt("/"), position + 1 < bytes.count, !" )=\n".utf8.contains(bytes[position + 1]) else { return false }
        return position == 0 || " \n([,:".utf8.contains(bytes[position - 1])
    }

    private mutating func blankRegex() {
        repeat { blank(isAt("\\") ? 2 : 1) } while position < bytes.count && !isAt("/") && !isAt("\n")
        if isAt("/") { blank(1) }
    }

    private func isAt(_ text: StaticString, after offset: Int = 0) -> Bool {
        let start = position + offset
        guard start + text.utf8CodeUnitCount <= bytes.count else { return false }
        return text.withUTF8Buffer { wanted in
            wanted.indices.allSatisfy { wanted[$0] == bytes[start + $0] }
        }
    }

    private mutating func blank(_ count: Int) {
        for byte in bytes[position..<min(position + count, bytes.count)] {
            output.append(byte == UInt8(ascii: "\n") ? byte : UInt8(ascii: " "))
            position += 1
        }
    }

    private mutating func blankComment() {
        var depth = 0
        repeat {
            depth += isAt("/*") ? 1 : isAt("*/") ? -1 : 0
            blank(isAt("/*") || isAt("*/") ? 2 : 1)
        } while depth > 0 && position < bytes.count
    }

    private mutating func blankString() {
        let hashes = isAt("##") ? 2 : isAt("#") ? 1 : 0
        blank(hashes)
        let isLong = isAt("\"\"\"")
        blank(isLong ? 3 : 1)
        while position < bytes.count, !isAtEnd(isLong: isLong, hashes: hashes) {
            if isAt("\\"), isAtHashes(hashes, after: 1) {
                let isInterpolation = isAt("(", after: 1 + hashes)
                blank(2 + hashes)
                if isInterpolation { blankInterpolation() }
            } else {
                blank(1)
            }
        }
        blank((isLong ? 3 : 1) + hashes)
    }

    private func isAtEnd(isLong: Bool, hashes: Int) -> Bool {
        isLong
            ? isAt("\"\"\"") && isAtHashes(hashes, after: 3)
            : isAt("\"") && isAtHashes(hashes, after: 1)
    }

    private func isAtHashes(_ count: Int, after offset: Int) -> Bool {
        (0..<count).allSatisfy { isAt("#", after: offset + $0) }
    }

    private mutating func blankInterpolation() {
        var depth = 1
        while depth > 0, position < bytes.count {
            if isAt("\"") {
                blankString()
            } else {
                depth += isAt("(") ? 1 : isAt(")") ? -1 : 0
                blank(1)
            }
        }
    }
}
