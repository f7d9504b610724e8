import NIOCore

/// A request's head line by line, so that what is not edited stays as it was, byte for byte.
struct RequestLines {
    /// A field line, with its continuation lines.
    struct Line: Hashable {
        /// The bytes of the whole line, without its last line end.
        var bytes: [UInt8]

        init(bytes: [UInt8]) { self.bytes = bytes }

        init(_ name: String, _ value: String) { bytes = Array("\(name): \(value)".utf8) }

        /// The name as written.
        var name: String { String(decoding: bytes.prefix { $0 != ASCII.colon }, as: UTF8.self) }
        /// The value without the blanks round it.
        var value: [UInt8] {
            var value = bytes.drop { $0 != ASCII.colon }.dropFirst().drop(while: ASCII.isBlank)
            while let last = value.last, ASCII.isBlank(last) { value.removeLast() }
            return Array(value)
        }
        var text: String { ByteText.lossless(value) }

        /// The line whatever its name's case and the blanks round its value.
        var meaning: [UInt8] { Array("\(ASCII.lower(name)):".utf8) + value }

        func isNamed(_ name: String) -> Bool { self.name.lowercased() == name.lowercased() }
    }

    var method: String
    /// Byte for byte.
    var target: [UInt8]
    /// `HTTP/1.1`, `HTTP/2`.
    var version: String
    var fields: [Line]

    /// Reads a head whose lines end in CRLF or LF.
    ///
    /// - Throws: `ReplayError` when its first line is not a method, a target and a version.
    init(_ head: some Sequence<UInt8>) throws(ReplayError) {
        var lines = Array(head).split(separator: ASCII.lineFeed, omittingEmptySubsequences: false).map { line in
            Array(line.last == ASCII.carriageReturn ? line.dropLast() : line[...])
        }
        let start = lines.removeFirst()
        let parts = start.split(separator: ASCII.space, omittingEmptySubsequences: false)
        guard parts.count == 3, !parts.contains(where: \.isEmpty) else {
            throw ReplayError(
                "the request line '\(ByteText.lossless(start))' is not a method, a target and a version with one blank between"
            )
        }
        method = String(decoding: parts[0], as: UTF8.self)
        target = Array(parts[1])
        version = String(decoding: parts[2], as: UTF8.self)
        fields = []
        for line in lines.prefix(while: { !$0.isEmpty }) {
            // A continuation line (RFC 9112 §5.2) belongs to the field before it, and stays with it.
            if line.first.map(ASCII.isBlank) == true, let last = fields.indices.last {
                fields[last].bytes += [ASCII.carriageReturn, ASCII.lineFeed] + line
            } else {
                fields.append(Line(bytes: line))
            }
        }
    }

    /// The head's bytes.
    var head: ByteBuffer {
        var out = ByteBuffer(string: "\(method) ")
        out.writeBytes(target)
        out.writeString(" \(version)\r\n")
        for field in fields {
            out.writeBytes(field.bytes)
            out.writeString("\r\n")
        }
        out.writeString("\r\n")
        return out
    }

    var isHTTP2: Bool { version == "HTTP/2" }

    /// The places that the head names: its Host, and the authority of a target in absolute-form, which counts for more (RFC 9112 §3.2.2).
    var authorities: [String] {
        let named = fields.filter { $0.isNamed("host") }.map(\.text)
        guard target.first != UInt8(ascii: "/"), let start = target.firstRange(of: Array("://".utf8)) else {
            return named
        }
        return named + [ByteText.lossless(target[start.upperBound...].prefix { !"/?#".utf8.contains($0) })]
    }

    /// Whether there is a field of this name.
    func has(_ name: String) -> Bool { fields.contains { $0.isNamed(name) } }

    /// Puts fields in the place of the first of their name, or at the end.
    mutating func set(_ name: String, _ lines: [Line]) {
        let place = fields.firstIndex { $0.isNamed(name) } ?? fields.count
        fields.removeAll { $0.isNamed(name) }
        fields.insert(contentsOf: lines, at: min(place, fields.count))
    }
}
