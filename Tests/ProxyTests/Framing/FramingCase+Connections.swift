/// What concerns one connection: expectations, nominated fields, requests behind one another.
extension FramingCase {
    static let expectations: [FramingCase] =
        ["100-continue", "100-Continue", " 100-CONTINUE "].map {
            .passes(post("Content-Length: 5\r\nExpect: \($0)\r\n", "hello"))
        }
        + ["100-continue", "x", ""].map {
            // An HTTP/1.0 client cannot mean it (RFC 9110 §10.1.1).
            .passes("POST {}/x HTTP/1.0\r\nHost: {host}\r\nContent-Length: 5\r\nExpect: \($0)\r\n\r\nhello")
        }
        + [
            "", "x", "100", "100-continue, x", "x, 100-continue", "100-continue, 100-continue", "100-continue;q=1",
            "100 continue",
            "100-continued", "\"100-continue\"", "100-continue=1", "200-ok", "y 100-continue", "100-continue,",
            "100\u{2d0}continue",
        ].flatMap {
            [
                .refused(post("Content-Length: 5\r\nExpect: \($0)\r\n", "hello"), 417),
                .refused(get("Expect: \($0)\r\n"), 417),
            ]
        }
        + [
            .refused(get("Expect: 100-continue\r\nExpect: 100-continue\r\n"), 417),
            .refused(get("Expect: 100-continue\r\nexpect: x\r\n"), 417),
            .passes(get("Expect: 100-continue\r\n")),
        ]

    static let nominations: [FramingCase] =
        [
            "Connection: Content-Length\r\nContent-Length: 5\r\n",
            "Content-Length: 5\r\nConnection: close, content-length\r\n",
            "Connection: Host\r\nContent-Length: 5\r\n", "Connection: host, X\r\nX: y\r\nContent-Length: 5\r\n",
            "Connection: Transfer-Encoding\r\nContent-Length: 5\r\n",
            "Connection: keep-alive, Content-Type\r\nContent-Length: 5\r\n",
            "Connection: \"Content-Length\"\r\nContent-Length: 5\r\n", "Connection: ,,,\r\nContent-Length: 5\r\n",
            "Connection: Connection\r\nContent-Length: 5\r\n",
            "Connection: Expect\r\nContent-Length: 5\r\nExpect: 100-continue\r\n",
            "Connection: upgrade\r\nUpgrade: h2c\r\nContent-Length: 5\r\n",
            "Proxy-Connection: keep-alive\r\nContent-Length: 5\r\n",
            "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\nContent-Length: 5\r\n",
            "Keep-Alive: timeout=5\r\nContent-Length: 5\r\n",
            "Proxy-Authorization: Basic eDp5\r\nContent-Length: 5\r\n",
            "TE: trailers, chunked\r\nContent-Length: 5\r\n",
            "Connection: TE\r\nTE: chunked;q=1\r\nContent-Length: 5\r\n",
            "Connection: " + String(repeating: "a,", count: 2_000) + "b\r\nContent-Length: 5\r\n",
        ].map { .passes(post($0, "hello")) }
        + [
            "Connection: Transfer-Encoding\r\nTransfer-Encoding: chunked\r\n",
            "Transfer-Encoding: chunked\r\nConnection: close, transfer-encoding, content-length\r\n",
            "Connection: Trailer\r\nTrailer: T\r\nTransfer-Encoding: chunked\r\n",
            "TE: trailers\r\nConnection: TE\r\nTransfer-Encoding: chunked\r\n",
        ].map { .passes(post($0, "5\r\nhello\r\n0\r\nT: 1\r\n\r\n")) }
        + [
            // Nominating one of two framings does not choose the other.
            "Connection: Content-Length\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n",
            "Connection: Transfer-Encoding\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n",
            "Connection: Host\r\nHost: other\r\n",
        ].map { .refused(post($0, hello)) }

    static let pipelines: [FramingCase] = {
        let bad: [(String, Int)] = [
            ("GARBAGE\r\n\r\n", 400), ("\u{0}\u{1}\u{2}\r\n\r\n", 400), ("GET {}/y HTTP/1.1\n\n", 400),
            ("GET {}/y HTTP/1.1\r\n\r\n", 400),
            ("GET {}/y HTTP/2.0\r\nHost: {host}\r\n\r\n", 505), ("GET {}/y\r\n\r\n", 400),
            (" GET {}/y HTTP/1.1\r\nHost: {host}\r\n\r\n", 400),
            ("GET {}/y HTTP/1.1\r\nHost: {host}\r\n A: b\r\n\r\n", 400),
            ("GET {}/y HTTP/1.1\r\nHost: {host}\r\nA : b\r\n\r\n", 400),
            (post("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", hello), 400),
            (post("Content-Length: 5\r\nContent-Length: 6\r\n", "hello!"), 400),
            (post("Transfer-Encoding: xchunked\r\n", hello), 501),
            (chunks("zz\r\n"), 400), ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
            ("\u{16}\u{3}\u{1}\u{0}\u{5}hello\r\n\r\n", 400),
            ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", 400), ("hello", 400), ("0\r\n\r\n", 400),
        ]
        let good: [(String, Int)] = [
            (get(), 1), (get() + get(), 2), (post("Content-Length: 5\r\n", "hello"), 1), (chunks(hello), 1),
            (chunks("5\r\nhello\r\n0\r\nT: 1\r\n\r\n"), 1), (get("Content-Length: 0\r\n"), 1),
        ]
        // A body that reads like a request is a body.
        let nested = "GET {}/hidden HTTP/1.1\r\nHost: {host}\r\n\r\n"
        return good.flatMap { text, count in bad.map { .refused(text + $0.0, $0.1, after: count) } }
            + [
                .passes(get() + get() + get(), 3),
                .passes(chunks(hello) + get() + post("Content-Length: 5\r\n", "hello"), 3),
                .passes(get() + "\r\n" + get(), 2), .passes(String(repeating: get(), count: 20), 20),
                .passes(chunks("4;x=y\r\nGET \r\n0\r\n\r\n") + get(), 2),
                .passes(post("Content-Length: 18\r\n", "GET / HTTP/1.1\r\n\r\n") + get(), 2),
                .passes(get("Connection: close\r\n") + nested, 1),
                .passes("GET {}/x HTTP/1.0\r\nHost: {host}\r\n\r\n" + nested, 1),
            ]
    }()
}
