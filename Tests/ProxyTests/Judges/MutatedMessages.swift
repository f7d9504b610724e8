import Support

/// Messages that are almost right: seeded mutations of good ones, the same on every run.
struct MutatedMessages {
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    private static let requests = [
        "GET / HTTP/1.1\r\nHost: a.test\r\nAccept: */*\r\n\r\n",
        "GET /v2/?query&type=-1&q=%C3%A9+(x) HTTP/1.0\r\nHost: a.test:80\r\nX-Empty:\r\nUser-Agent: x/1 (y; z)\r\n\r\n",
        "POST /a/b HTTP/1.1\r\nHost: a.test\r\nContent-Length: 5\r\nContent-Type: text/plain\r\n\r\nhello",
        "PUT http://a.test/x HTTP/1.1\r\nHost: a.test\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nT: 1\r\n\r\n",
        "OPTIONS * HTTP/1.1\r\nhost: a.test\r\nConnection: keep-alive, x\r\nCookie: a=1; b=\"2\"\r\n\r\n",
        "DELETE /x HTTP/1.1\r\nHost: a.test\r\nTransfer-Encoding: chunked\r\n\r\nA\r\n0123456789\r\n00\r\n\r\n",
    ]
    private static let responses = [
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nSet-Cookie: a\r\nset-cookie: b\r\n\r\nok",
        "HTTP/1.1 404 Not  Found\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nT: 1\r\n\r\n",
        "HTTP/1.0 500 \r\nContent-Length: 0\r\nX:\ty \r\n\r\n", "HTTP/1.1 204 No Content\r\nDate: now\r\n\r\n",
        "HTTP/1.1 301 Moved\r\nLocation: /x?y=z#q\r\nContent-Length: 4\r\n\r\nbody",
    ]
    private static let pieces = [
        "\r\n", "\n", "\r", " ", "\t", "\0", ":", ": ", ",", ";", "\r\n ", "0", "5", "HTTP/1.1", "HTTP/1.0", "HTTP/2.0",
        "\u{e9}", "\u{7f}", "\u{b}", "-", "+", "_",
        "Content-Length: 5\r\n", "Content-Length: 6\r\n", "Transfer-Encoding: chunked\r\n",
        "Transfer-Encoding: gzip\r\n", "Host: b\r\n", "\r\n\r\n", "chunked",
        "Connection: upgrade\r\nUpgrade: x\r\n", "identity", "\"", "\\", "<", ">", "{", "^", "`", "|", "#", "?", "//",
        "%", "[", "]", "@", "Expect: 100-continue\r\n",
    ]

    /// A request that was changed in one to three places.
    mutating func request() -> [UInt8] { mutate(Self.requests) }

    /// A response that was changed in one to three places.
    mutating func response() -> [UInt8] { mutate(Self.responses) }

    private mutating func mutate(_ originals: [String]) -> [UInt8] {
        var bytes = Array((originals.randomElement(using: &random) ?? "").utf8)
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let place = Int.random(in: 0...bytes.count, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0 where place < bytes.count: bytes.remove(at: place)
            case 1 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 2:
                // A line twice.
                let start = bytes[..<place].lastIndex(of: 10).map { $0 + 1 } ?? 0
                let end = bytes[place...].firstIndex(of: 10).map { $0 + 1 } ?? bytes.count
                bytes.insert(contentsOf: bytes[start..<end], at: end)
            default:
                bytes.insert(contentsOf: (Self.pieces.randomElement(using: &random) ?? "").utf8, at: place)
            }
        }
        return bytes
    }
}
