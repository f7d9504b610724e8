/// One complete HTTP/1.1 request as it came: just enough reading of it to find its end and to choose an answer.
package struct RawRequest: Sendable {
    /// Head and body, with framing.
    package let bytes: [UInt8]
    /// How many of the bytes are the head, with the empty line.
    package let headBytes: Int

    /// The first request in these bytes; nil while it is not whole.
    package init?(first unanswered: [UInt8]) {
        guard let headEnd = unanswered.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound else { return nil }
        let fields = Self.fields(unanswered[..<headEnd])
        var end = headEnd
        if let length = fields.first(where: { $0.name == "content-length" }).flatMap({ Int($0.value) }) {
            end += length
        } else if fields.contains(where: {
            $0.name == "transfer-encoding" && $0.value.lowercased().hasSuffix("chunked")
        }) {
            guard let chunksEnd = Self.chunksEnd(unanswered[headEnd...]) else { return nil }
            end = chunksEnd
        }
        guard unanswered.count >= end else { return nil }
        bytes = Array(unanswered[..<end])
        headBytes = headEnd
    }

    /// Where a body in chunks ends; nil while its end has not come.
    ///
    /// Trailers have to be all that has come behind the last chunk.
    private static func chunksEnd(_ body: ArraySlice<UInt8>) -> Int? {
        let last = Array("0\r\n\r\n".utf8)
        if body.starts(with: last) { return body.startIndex + last.count }
        if let chunk = body.firstRange(of: [13, 10] + last) { return chunk.upperBound }
        let hasTrailers =
            body.suffix(4).elementsEqual([13, 10, 13, 10]) && body.firstRange(of: Array("\r\n0\r\n".utf8)) != nil
        return hasTrailers ? body.endIndex : nil
    }

    /// The bytes as text.
    package var text: String { String(decoding: bytes, as: UTF8.self) }
    /// The body with its framing.
    package var body: ArraySlice<UInt8> { bytes[headBytes...] }
    /// The body without framing: the content of the chunks, without their extensions and trailers.
    package var content: [UInt8] {
        guard field("transfer-encoding") != nil else { return Array(body) }
        var content: [UInt8] = []
        var rest = body
        while let line = rest.firstRange(of: [13, 10]) {
            let digits = rest[..<line.lowerBound].prefix { $0 != UInt8(ascii: ";") }
            guard let size = Int(String(decoding: digits, as: UTF8.self), radix: 16), size > 0 else { break }
            content += rest[line.upperBound...].prefix(size)
            rest = rest[line.upperBound...].dropFirst(size + 2)
        }
        return content
    }
    /// The method, as sent.
    package var method: String { part(0) }
    /// The request target, as sent.
    package var target: String { part(1) }

    /// The value of a field, by its name in any case; nil when there is none.
    package func field(_ name: String) -> String? {
        Self.fields(bytes[..<headBytes]).first { $0.name == name.lowercased() }?.value
    }

    /// A script that answers each complete request by one response, on connections that stay open.
    package static func answering(_ respond: @escaping @Sendable (RawRequest) -> [UInt8]) -> LoopbackOrigin.Script {
        { unanswered in
            RawRequest(first: unanswered).map { .init(consuming: $0.bytes.count, .send(respond($0))) }
        }
    }

    private func part(_ index: Int) -> String {
        let line = bytes.prefix { $0 != 13 }
        let parts = line.split(separator: UInt8(ascii: " "))
        return index < parts.count ? String(decoding: parts[index], as: UTF8.self) : ""
    }

    private static func fields(_ head: ArraySlice<UInt8>) -> [(name: String, value: String)] {
        String(decoding: head, as: UTF8.self).split(separator: "\r\n").dropFirst().compactMap { line in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            return (name: line[..<colon].lowercased(), value: String(value))
        }
    }
}
