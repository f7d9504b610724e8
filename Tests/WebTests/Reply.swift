import Foundation

/// An answer as it came over the wire.
struct Reply: Sendable {
    let status: Int
    /// Names in lower case, in order.
    let fields: [(name: String, value: String)]
    let body: [UInt8]

    /// Reads an answer that ended with its connection, chunked or not.
    ///
    /// - Throws: `Unreadable` when it is no HTTP/1.1 answer.
    init(_ bytes: [UInt8]) throws {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { throw Unreadable(bytes: bytes) }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        let start = lines[0].split(separator: " ")
        guard start.count >= 2, let status = Int(start[1]) else { throw Unreadable(bytes: bytes) }
        self.status = status
        fields = lines.dropFirst().compactMap { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            return parts.count == 2 ? (parts[0].lowercased(), parts[1].trimmingCharacters(in: .whitespaces)) : nil
        }
        let rest = Array(bytes[end.upperBound...])
        let isChunked = fields.contains { $0.name == "transfer-encoding" && $0.value == "chunked" }
        body = isChunked ? try Reply.joined(rest) : rest
    }

    /// The first value of a field.
    subscript(_ name: String) -> String? { fields.first { $0.name == name }?.value }

    var text: String { String(decoding: body, as: UTF8.self) }

    /// The body as JSON.
    func json<Value: Decodable>(as type: Value.Type) throws -> Value {
        try JSONDecoder().decode(type, from: Data(body))
    }

    /// The body as an object of any JSON.
    func object() throws -> [String: Any] {
        guard let object = try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any] else {
            throw Unreadable(bytes: body)
        }
        return object
    }

    /// What came is not what an HTTP server sends.
    struct Unreadable: Error, CustomStringConvertible {
        let bytes: [UInt8]
        var description: String { "unreadable answer: \(String(decoding: bytes.prefix(500), as: UTF8.self))" }
    }

    private static func joined(_ chunks: [UInt8]) throws -> [UInt8] {
        var rest = chunks[...]
        var body: [UInt8] = []
        while let end = rest.firstRange(of: [13, 10]) {
            let digits = String(decoding: rest[..<end.lowerBound], as: UTF8.self)
            guard let size = Int(digits, radix: 16) else { throw Unreadable(bytes: chunks) }
            rest = rest[end.upperBound...]
            if size == 0 { return body }
            body += rest.prefix(size)
            rest = rest.dropFirst(size + 2)
        }
        throw Unreadable(bytes: chunks)
    }
}
