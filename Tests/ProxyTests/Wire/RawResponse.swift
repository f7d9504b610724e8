import Support

/// One response as a client got it, byte for byte.
struct RawResponse: Sendable {
    /// From the status line to the empty line.
    let head: String
    /// Without chunked framing.
    let body: [UInt8]
    /// The trailer section, without the empty line.
    let trailers: String

    var code: Int { Int(head.dropFirst(9).prefix(3)) ?? 0 }
    var text: String { String(decoding: body, as: UTF8.self) }
}

extension RawClient {
    /// Reads one response; a close-delimited one to the end.
    func response(to method: String = "GET") async throws -> RawResponse {
        let head = try await read(through: "\r\n\r\n")
        let lines = head.lowercased().split(separator: "\r\n")
        let code = Int(head.dropFirst(9).prefix(3)) ?? 0
        if code < 200 || code == 204 || code == 304 || method == "HEAD" {
            return RawResponse(head: head, body: [], trailers: "")
        }
        if lines.contains("transfer-encoding: chunked") { return try await chunked(head) }
        guard let length = lines.first(where: { $0.hasPrefix("content-length: ") }).flatMap({ Int($0.dropFirst(16)) })
        else {
            return RawResponse(head: head, body: try await readToEnd(), trailers: "")
        }
        return RawResponse(head: head, body: length == 0 ? [] : try await read(count: length), trailers: "")
    }

    private func chunked(_ head: String) async throws -> RawResponse {
        var body: [UInt8] = []
        while true {
            let line = try await read(through: "\r\n").dropLast()
            guard let size = Int(line, radix: 16) else { throw BadChunk(line: String(line)) }
            if size == 0 { break }
            body += try await read(count: size)
            _ = try await read(through: "\r\n")
        }
        var trailers = ""
        while true {
            let line = try await read(through: "\r\n")
            if line == "\r\n" { return RawResponse(head: head, body: body, trailers: trailers) }
            trailers += line
        }
    }
}

/// A chunk-size line that is none.
struct BadChunk: Error {
    let line: String
}
