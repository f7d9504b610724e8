/// Some bytes of an upstream that was asked by a method, and what is to be made of them.
struct ResponseCase: Sendable, CustomStringConvertible {
    let method: String
    let bytes: [UInt8]
    let closes: Bool
    let expected: [String]

    init(_ method: String, _ text: String, closes: Bool = false, _ expected: String...) {
        self.method = method
        bytes = Array(text.utf8)
        self.closes = closes
        self.expected = expected
    }

    var description: String { method + " " + String(decoding: bytes.prefix(120), as: UTF8.self).debugDescription }

    /// What is accepted.
    static let accepted: [ResponseCase] = [
        .init("GET", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", "response 200 length(2)", "body \"hi\"", "end"),
        .init("GET", "HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n", "response 200 none", "end"),
        .init("GET", "HTTP/1.1 200 \r\nContent-Length: 0\r\n\r\n", "response 200 none", "end"),
        .init(
            "GET",
            "HTTP/1.0 299 \u{e9} \r\nContent-Length: 1\r\n\r\nx",
            "response 299 length(1)",
            "body \"x\"",
            "end"
        ),
        .init("HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n", "response 200 none", "end"),
        .init("HEAD", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "response 200 none", "end"),
        .init("GET", "HTTP/1.1 204 No\r\nContent-Length: 2\r\n\r\n", "response 204 none", "end"),
        .init("GET", "HTTP/1.1 304 No\r\nContent-Length: 2\r\n\r\n", "response 304 none", "end"),
        .init(
            "GET",
            "HTTP/1.1 100 Go\r\n\r\nHTTP/1.1 103 Early\r\nLink: a\r\n\r\nHTTP/1.1 204 No\r\n\r\n",
            "response 100 none",
            "response 103 none",
            "response 204 none",
            "end"
        ),
        .init("GET", "HTTP/1.1 101 Up\r\nUpgrade: x\r\n\r\n", "response 101 none", "end"),
        .init(
            "GET",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\nT: 1\r\n\r\n",
            "response 200 chunked",
            "body \"hi\"",
            "end \"T: 1\\r\\n\\r\\n\""
        ),
    ]

    /// What ends, or breaks, with the connection.
    static let ended: [ResponseCase] = [
        .init("GET", "HTTP/1.1 200 OK\r\n\r\nhi", closes: true, "response 200 untilClose", "body \"hi\"", "end"),
        .init("GET", "HTTP/1.1 200 OK\r\n\r\n", closes: true, "response 200 untilClose", "end"),
        // The connection is gone, and it was not the end of its input that came.
        .init("GET", "HTTP/1.1 200 OK\r\n\r\nhi", "response 200 untilClose", "body \"hi\""),
        .init(
            "GET",
            "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nhi",
            closes: true,
            "response 200 length(3)",
            "body \"hi\""
        ),
        .init(
            "GET",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n",
            closes: true,
            "response 200 chunked",
            "body \"hi\""
        ),
        .init("GET", "HTTP/1.1 200 OK\r\nContent-Len", closes: true, "refused 400 unfinished"),
        .init("GET", "", closes: true),
    ]

    /// What is refused.
    static let refused: [ResponseCase] = [
        .init("GET", "<html>hello</html>", "refused 400 malformed"),
        .init("GET", "SSH-2.0-x\r\n", "refused 400 malformed"),
        .init("GET", "HTTP/1.1 20 OK\r\n\r\n", "refused 400 malformed"),
        .init("GET", "HTTP/1.1 2000 OK\r\n\r\n", "refused 400 malformed"),
        .init("GET", "HTTP/1.1 099 OK\r\n\r\n", "refused 400 malformed"),
        .init("GET", "HTTP/1.1  200 OK\r\n\r\n", "refused 400 malformed"),
        .init("GET", "HTTP/1.1\r\n\r\n", "refused 400 malformed"),
        .init("GET", "\r\nHTTP/1.1 200 OK\r\n\r\n", "refused 400 malformed"),
        .init("GET", "HTTP/2.0 200 OK\r\n\r\n", "refused 505 version"),
        .init("GET", "HTTP/1.1 200 O\u{0}K\r\n\r\n", "refused 400 malformed"),
        .init("GET", "HTTP/1.1 200 OK\nContent-Length: 0\n\n", "refused 400 malformed"),
        .init("GET", "HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\r\n", "refused 400 malformed"),
        .init(
            "GET",
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
            "refused 400 ambiguous-framing"
        ),
        .init(
            "GET",
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n",
            "refused 400 ambiguous-framing"
        ),
        .init("GET", "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", "refused 501 ambiguous-framing"),
        .init("GET", "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "refused 400 ambiguous-framing"),
        .init(
            "GET",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            "response 200 chunked",
            "refused 400 bad-chunk"
        ),
    ]
}
