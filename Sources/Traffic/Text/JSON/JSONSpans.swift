/// The values of JSON texts (RFC 8259), one or several with blanks between them, as places in their bytes; nothing is decoded.
///
/// It takes a little more than the standard: any byte in a string, and any run of a number's characters as a number.
struct JSONSpans {
    /// Why some bytes are no JSON text, in words that follow `the body`.
    struct Problem: Error {
        let sentence: String
    }

    enum Kind: UInt8 {
        case object, array, string, other
    }

    /// A value, and the name before it in an object.
    struct Node {
        var start: Int32
        /// Behind its last byte.
        var end: Int32 = 0
        /// The name with its quotation marks; empty for an element, and for a whole text.
        var nameStart: Int32
        var nameEnd: Int32
        /// The number of the first node that is not in it.
        var next: Int32 = 0
        var kind: Kind

        var range: Range<Int> { Int(start)..<Int(end) }
        var name: Range<Int> { Int(nameStart)..<Int(nameEnd) }
        /// Where it begins with its name.
        var memberStart: Int { name.isEmpty ? Int(start) : Int(nameStart) }
    }

    /// Values of the texts in all.
    static let valuesLimit = 1_000_000
    /// Values within values.
    private static let depthLimit = 200

    let bytes: [UInt8]
    /// The charset of the bytes, which is one that contains ASCII.
    let charset: Charset
    /// The values in the order of their beginnings, each before those in it.
    let nodes: [Node]
    /// The whole texts.
    let roots: [Int]
    /// Whether names may have to be decoded: a character is escaped in one, or the charset is another than UTF-8.
    let decodesNames: Bool

    /// Reads bytes, less than 2 GiB, in a charset of which no byte of one character can be taken for another.
    ///
    /// - Throws: `Problem` where they are no JSON, nothing at all, or have too many values.
    init(_ bytes: [UInt8], _ charset: Charset = .utf8) throws(Problem) {
        var reader = Reader()
        let problem = bytes.withUnsafeBufferPointer { reader.read($0) }
        if let problem { throw problem }
        (self.bytes, self.charset, nodes, roots) = (bytes, charset, reader.nodes, reader.roots)
        decodesNames = charset != .utf8 || reader.nodes.contains { bytes[$0.name].contains(UInt8(ascii: "\\")) }
    }

    /// The members of an object, the elements of an array; none of any other value.
    func children(of node: Int) -> [Int] {
        var found: [Int] = []
        var child = node + 1
        while child < nodes[node].next {
            found.append(child)
            child = Int(nodes[child].next)
        }
        return found
    }

    /// Whether a member has a name.
    func isNamed(_ node: Int, _ name: String) -> Bool {
        let range = nodes[node].name
        guard range.count >= 2 else { return false }
        let raw = bytes[range.lowerBound + 1..<range.upperBound - 1]
        // An escape has at most six bytes for each of UTF-8, so that a longer name is another, and need not be decoded.
        guard raw.count <= 6 * name.utf8.count else { return false }
        let isCoded = decodesNames && raw.contains { $0 == UInt8(ascii: "\\") || $0 >= 0x80 && charset != .utf8 }
        guard isCoded else { return raw.elementsEqual(name.utf8) }
        return (try? JSONReader.value(utf8(range)))?.string.map { $0.utf8.elementsEqual(name.utf8) } == true
    }

    /// A stretch of the text as UTF-8; as it is where it cannot be read.
    func utf8(_ range: Range<Int>) -> [UInt8] {
        let raw = Array(bytes[range])
        return charset == .utf8 ? raw : charset.text(raw).map { Array($0.utf8) } ?? raw
    }

    // MARK: Reading

    private struct Reader {
        var nodes: [Node] = []
        var roots: [Int] = []
        private var position = 0
        private var refusal: String?

        private struct Malformed: Error {}

        init() {}

        mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) -> Problem? {
            if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
            skipBlanks(bytes)
            do throws(Malformed) {
                repeat {
                    roots.append(nodes.count)
                    try value(bytes, name: 0..<0, depth: 0)
                    let end = position
                    skipBlanks(bytes)
                    // Two texts without a blank between them could become one by an edit.
                    guard position > end || position == bytes.count else { throw Malformed() }
                } while position < bytes.count
            } catch {
                return problem(bytes)
            }
            return nil
        }

        private func problem(_ bytes: UnsafeBufferPointer<UInt8>) -> Problem {
            if let refusal { return Problem(sentence: refusal) }
            guard position < bytes.count else {
                return Problem(sentence: bytes.isEmpty ? "is empty, and no JSON" : "ends before its JSON is whole")
            }
            let rest = bytes[position...].prefix(12).map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }
            return Problem(sentence: "is no JSON at its byte \(position) (\(String(decoding: rest, as: UTF8.self)))")
        }

        private mutating func value(
            _ bytes: UnsafeBufferPointer<UInt8>,
            name: Range<Int>,
            depth: Int
        ) throws(Malformed) {
            guard depth <= depthLimit else {
                refusal = "has values more than \(depthLimit) levels deep"
                throw Malformed()
            }
            guard nodes.count < valuesLimit else {
                refusal = "has more than \(valuesLimit) values"
                throw Malformed()
            }
            guard position < bytes.count else { throw Malformed() }
            let number = nodes.count
            let first = bytes[position]
            let kind: Kind =
                switch first {
                case UInt8(ascii: "{"): .object
                case UInt8(ascii: "["): .array
                case UInt8(ascii: "\""): .string
                default: .other
                }
            nodes.append(
                Node(
                    start: Int32(truncatingIfNeeded: position),
                    nameStart: Int32(truncatingIfNeeded: name.lowerBound),
                    nameEnd: Int32(truncatingIfNeeded: name.upperBound),
                    kind: kind
                )
            )
            switch kind {
            case .object: try members(bytes, depth: depth)
            case .array: try elements(bytes, depth: depth)
            case .string: try string(bytes)
            case .other: try word(bytes)
            }
            nodes[number].end = Int32(truncatingIfNeeded: position)
            nodes[number].next = Int32(truncatingIfNeeded: nodes.count)
        }

        private mutating func members(_ bytes: UnsafeBufferPointer<UInt8>, depth: Int) throws(Malformed) {
            position += 1
            skipBlanks(bytes)
            if take(UInt8(ascii: "}"), bytes) { return }
            repeat {
                skipBlanks(bytes)
                guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { throw Malformed() }
                let start = position
                try string(bytes)
                let name = start..<position
                skipBlanks(bytes)
                guard take(ASCII.colon, bytes) else { throw Malformed() }
                skipBlanks(bytes)
                try value(bytes, name: name, depth: depth + 1)
                skipBlanks(bytes)
            } while take(ASCII.comma, bytes)
            guard take(UInt8(ascii: "}"), bytes) else { throw Malformed() }
        }

        private mutating func elements(_ bytes: UnsafeBufferPointer<UInt8>, depth: Int) throws(Malformed) {
            position += 1
            skipBlanks(bytes)
            if take(UInt8(ascii: "]"), bytes) { return }
            repeat {
                skipBlanks(bytes)
                try value(bytes, name: 0..<0, depth: depth + 1)
                skipBlanks(bytes)
            } while take(ASCII.comma, bytes)
            guard take(UInt8(ascii: "]"), bytes) else { throw Malformed() }
        }

        private mutating func string(_ bytes: UnsafeBufferPointer<UInt8>) throws(Malformed) {
            position += 1
            while position < bytes.count {
                switch bytes[position] {
                case UInt8(ascii: "\""):
                    position += 1
                    return
                case UInt8(ascii: "\\"): position += 2
                default: position += 1
                }
            }
            position = bytes.count
            throw Malformed()
        }

        /// A number, `true`, `false` or `null`.
        private mutating func word(_ bytes: UnsafeBufferPointer<UInt8>) throws(Malformed) {
            let start = position
            while position < bytes.count, Reader.isNumeral(bytes[position]) { position += 1 }
            if position > start, bytes[start..<position].contains(where: { (0x30...0x39).contains($0) }) { return }
            position = start
            for word in ["true", "false", "null"] where bytes[start...].starts(with: word.utf8) {
                position += word.utf8.count
                return
            }
            throw Malformed()
        }

        private static func isNumeral(_ byte: UInt8) -> Bool {
            switch byte {
            case 0x30...0x39, 0x2B, 0x2D, 0x2E, 0x45, 0x65: true
            default: false
            }
        }

        private mutating func take(_ byte: UInt8, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
            guard position < bytes.count, bytes[position] == byte else { return false }
            position += 1
            return true
        }

        /// Skips blanks, and the record separators of JSON sequences (RFC 7464).
        private mutating func skipBlanks(_ bytes: UnsafeBufferPointer<UInt8>) {
            while position < bytes.count {
                switch bytes[position] {
                case 0x20, 0x09, 0x0A, 0x0D, 0x1E: position += 1
                default: return
                }
            }
        }
    }
}
