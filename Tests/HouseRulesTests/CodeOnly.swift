import Foundation

/// Blanks out what is not code in a Swift text: comments and string literals, with whatever they interpolate.
///
/// A small lexer over bytes and no parser: it knows nested comments, raw and multi-line strings, and regex literals on one line. What is plain
/// code is passed over by C's functions, since a debug build takes its time over each byte.
struct CodeOnly {
    /// The text, with a zero at the end for C's functions.
    private let bytes: [UInt8]
    private let count: Int
    private var position = 0
    private var output: [UInt8]

    /// The text with comments and string literals as blanks, of as many lines.
    static func blanking(_ text: [UInt8]) -> [UInt8] {
        var lexer = CodeOnly(bytes: text)
        lexer.run()
        return lexer.output
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes + [0]
        count = bytes.count
        output = bytes
    }

    private mutating func run() {
        skip(until: "/\"#")
        while position < count {
            if isAt("//") {
                blank(length(until: "\n"))
            } else if isAt("/*") {
                blankComment()
            } else if isAt("\"") || isAt("#\"") || isAt("##\"") {
                blankString()
            } else if isAtRegex {
                blankRegex()
            } else {
                position += 1
            }
            skip(until: "/\"#")
        }
    }

    /// How far it is to the first of some bytes, or to the end.
    private func length(until ends: StaticString) -> Int {
        bytes.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else { return 0 }
            return strcspn(start + position, UnsafeRawPointer(ends.utf8Start).assumingMemoryBound(to: CChar.self))
        }
    }

    private mutating func skip(until ends: StaticString) { position += length(until: ends) }

    /// Whether a regex literal starts here: a slash where no operand went before, and no blank after.
    private var isAtRegex: Bool {
        guard isAt("/"), position + 1 < count, !" )=\n".utf8.contains(bytes[position + 1]) else { return false }
        return position == 0 || " \n([,:".utf8.contains(bytes[position - 1])
    }

    private mutating func blankRegex() {
        repeat { blank(isAt("\\") ? 2 : 1) } while position < count && !isAt("/") && !isAt("\n")
        if isAt("/") { blank(1) }
    }

    private func isAt(_ text: StaticString, after offset: Int = 0) -> Bool {
        let start = position + offset
        guard start + text.utf8CodeUnitCount <= count else { return false }
        return bytes.withUnsafeBytes { bytes in
            bytes.baseAddress.map { memcmp($0 + start, text.utf8Start, text.utf8CodeUnitCount) == 0 } ?? false
        }
    }

    /// Makes blanks of so many bytes; a line break stays.
    private mutating func blank(_ length: Int) {
        for place in position..<min(position + length, count) where bytes[place] != UInt8(ascii: "\n") {
            output[place] = UInt8(ascii: " ")
        }
        position = min(position + length, count)
    }

    private mutating func blankComment() {
        var depth = 0
        repeat {
            depth += isAt("/*") ? 1 : isAt("*/") ? -1 : 0
            blank(isAt("/*") || isAt("*/") ? 2 : 1)
            blank(length(until: "/*"))
        } while depth > 0 && position < count
    }

    private mutating func blankString() {
        let hashes = isAt("##") ? 2 : isAt("#") ? 1 : 0
        blank(hashes)
        let isLong = isAt("\"\"\"")
        blank(isLong ? 3 : 1)
        blank(length(until: "\"\\"))
        while position < count, !isAtEnd(isLong: isLong, hashes: hashes) {
            if isAt("\\"), isAtHashes(hashes, after: 1) {
                let isInterpolation = isAt("(", after: 1 + hashes)
                blank(2 + hashes)
                if isInterpolation { blankInterpolation() }
            } else {
                blank(1)
            }
            blank(length(until: "\"\\"))
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
        while depth > 0, position < count {
            if isAt("\"") {
                blankString()
            } else {
                depth += isAt("(") ? 1 : isAt(")") ? -1 : 0
                blank(1)
            }
        }
    }
}
