/// Some bytes of a client, and what is to be made of them.
struct RequestCase: Sendable, CustomStringConvertible {
    let bytes: [UInt8]
    let expected: [String]

    init(_ text: String, _ expected: String...) {
        bytes = Array(text.utf8)
        self.expected = expected
    }

    init(bytes: [UInt8], _ expected: String...) {
        self.bytes = bytes
        self.expected = expected
    }

    var description: String { String(decoding: bytes.prefix(120), as: UTF8.self).debugDescription }

    /// What is accepted.
    static let accepted: [RequestCase] = [
        .init("GET / HTTP/1.1\r\nHost: a\r\n\r\n", "request GET / HTTP/1.1 none", "end"),
        .init("\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", "request GET / HTTP/1.1 none", "end"),
        .init("GET /?a=b&type=-1? HTTP/1.0\r\n\r\n", "request GET /?a=b&type=-1? HTTP/1.0 none", "end"),
        .init("g-E_t! * HTTP/1.1\r\nHost:\r\n\r\n", "request g-E_t! * HTTP/1.1 none", "end"),
        .init("CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n", "request CONNECT a:443 HTTP/1.1 none", "end"),
        .init(
            "GET /\u{e9} HTTP/1.1\r\nHost: a\r\nX: \u{e9}\tb \t\r\nX:\r\n\r\n",
            "request GET /\u{e9} HTTP/1.1 none",
            "end"
        ),
        .init(
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhelloGET /2 HTTP/1.1\r\nHost: a\r\n\r\n",
            "request POST / HTTP/1.1 length(5)",
            "body \"hello\"",
            "end",
            "request GET /2 HTTP/1.1 none",
            "end"
        ),
        .init("POST / HTTP/1.1\r\nContent-Length: 000\r\n\r\n", "request POST / HTTP/1.1 none", "end"),
        .init(
            "POST / HTTP/1.1\r\nTransfer-Encoding:\t Chunked \r\n\r\n5;a=\"b;c\"\r\nhello\r\n00A\r\n0123456789\r\n0\r\n\r\n",
            "request POST / HTTP/1.1 chunked",
            "body \"hello0123456789\"",
            "end"
        ),
        .init(
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0;last\r\nSum: 1\r\nSum: 2 \r\n\r\nGET / HTTP/1.1\r\n\r\n",
            "request POST / HTTP/1.1 chunked",
            "end \"Sum: 1\\r\\nSum: 2 \\r\\n\\r\\n\"",
            "request GET / HTTP/1.1 none",
            "end"
        ),
    ]

    /// Heads that are refused with 400, each for one thing.
    static let refused: [RequestCase] = [
        "GET / HTTP/1.1\nHost: a\n\n", "GET / HTTP/1.1\r\nHost: a\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\n\n",
        "GET / HTTP/1.1\r\nHost: a\rb\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\r\n\r\n",
        "GET / HTTP/1.1\r\nA: b\r\n c\r\n\r\n", "GET / HTTP/1.1\r\n A: b\r\n\r\n",
        "GET / HTTP/1.1\r\nA: b\r\n\tc\r\n\r\n",
        "GET / HTTP/1.1\r\nA\u{0}: b\r\n\r\n", "GET / HTTP/1.1\r\nA: b\u{0}\r\n\r\n",
        "GET / HTTP/1.1\r\nA: \u{7f}\r\n\r\n",
        "GET /\u{0} HTTP/1.1\r\n\r\n", "GET /\t HTTP/1.1\r\n\r\n", "GET /a b HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nA : b\r\n\r\n", "GET / HTTP/1.1\r\nA\t: b\r\n\r\n", "GET / HTTP/1.1\r\n: b\r\n\r\n",
        "GET / HTTP/1.1\r\nA b\r\n\r\n", "GET / HTTP/1.1\r\nA\r\n\r\n", "GET / HTTP/1.1\r\n\u{e9}: b\r\n\r\n",
        "GET / HTTP/1.1\r\n(A): b\r\n\r\n", "GET  / HTTP/1.1\r\n\r\n", "GET /  HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1 \r\n\r\n", " GET / HTTP/1.1\r\n\r\n", "GET\t/ HTTP/1.1\r\n\r\n", "GE(T / HTTP/1.1\r\n\r\n",
        "GET /\r\n\r\n", "GET\r\n\r\n", "GET / http/1.1\r\n\r\n", "GET / HTTP/11\r\n\r\n", "GET / HTTP/1.1.\r\n\r\n",
        "GET / HTTPS/1.1\r\n\r\n", "\u{16}\u{3}\u{1}\r\n\r\n",
    ].map { RequestCase($0, "refused 400 malformed") }

    /// Heads whose body could end in more than one place, or that an upstream could take to be so.
    static let ambiguous: [RequestCase] =
        [
            "Content-Length: 5\r\nTransfer-Encoding: chunked", "Transfer-Encoding: chunked\r\nContent-Length: 0",
            "Content-Length: 5\r\nContent-Length: 5", "Content-Length: 5\r\ncontent-length: 6", "Content-Length: 5, 5",
            "Content-Length: +5", "Content-Length: -5", "Content-Length: 0x5", "Content-Length: 5 5", "Content-Length:",
            "Content-Length: 9999999999999999999", "Content-Length: 5\u{a0}", "Content-Length: \u{661}",
            "Transfer_Encoding: chunked", "Content_Length: 5", "transfer_encoding: identity\r\nContent-Length: 5",
        ].map { RequestCase("POST / HTTP/1.1\r\nHost: a\r\n\($0)\r\n\r\nhello", "refused 400 ambiguous-framing") }
        + [
            "gzip, chunked", "chunked, chunked", "identity", "xchunked", "chunked,", ", chunked", "chunked;q=1", "",
            "chun\u{212A}ed",
            "chunked\r\nTransfer-Encoding: chunked", "chunked\r\nTransfer-Encoding: identity", "\u{b}chunked",
        ].map { value in
            RequestCase(
                "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: \(value)\r\n\r\n0\r\n\r\n",
                value.hasPrefix("\u{b}") ? "refused 400 malformed" : "refused 501 ambiguous-framing"
            )
        }
        + [
            .init("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "refused 400 ambiguous-framing")
        ]

    /// Bodies that are no chunked coding.
    static let badChunks: [RequestCase] =
        [
            "5\nhello\r\n0\r\n\r\n", "5\r\nhello\n0\r\n\r\n", "5\r\nhello0\r\n\r\n", "5\r\nhello!\r\n0\r\n\r\n",
            "g\r\n", " 5\r\nhello\r\n", "5 \r\nhello\r\n", "5 ;a\r\nhello\r\n", "0x5\r\nhello\r\n", "-1\r\n",
            "+5\r\nhello\r\n",
            ";a\r\n", "\r\n", "5;a\u{0}\r\nhello\r\n", "5;a\rb\r\nhello\r\n", "5;a\u{7f}\r\nhello\r\n",
            "1000000000000000\r\n",
            "fffffffffffffffff\r\n", "5,\r\nhello\r\n", "5;" + String(repeating: "a", count: 5_000) + "\r\nhello\r\n",
            String(repeating: "0", count: 5_000),
        ].map { text in
            RequestCase(
                "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" + text,
                "request POST / HTTP/1.1 chunked",
                text.contains("hello!") || text.hasPrefix("5\r\n") ? "body \"hello\"" : "",
                "refused 400 bad-chunk"
            )
        }
        + [
            "Transfer-Encoding: chunked", "Content-Length: 3", "host: b",
        ].map { field in
            RequestCase(
                "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nA: b\r\n\(field)\r\n\r\n",
                "request POST / HTTP/1.1 chunked",
                "refused 400 ambiguous-framing"
            )
        }
        + [
            "A: b\n\r\n", "A: b\r\n\n", " A: b\r\n\r\n", "A : b\r\n\r\n", "A: b\r\n c\r\n\r\n", "A: \u{0}\r\n\r\n",
        ].map { trailers in
            RequestCase(
                "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\(trailers)",
                "request POST / HTTP/1.1 chunked",
                "refused 400 malformed"
            )
        }
}
