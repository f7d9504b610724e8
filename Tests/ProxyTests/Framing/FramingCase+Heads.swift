/// Lines, names, targets and versions of heads, rightly and wrongly (RFC 9112 §2 to §5).
extension FramingCase {
    /// Every wrong line end at every line of a head.
    static let lineEnds: [FramingCase] = {
        let lines = ["GET {}/x HTTP/1.1", "Host: {host}", "A: b", ""]
        var cases: [FramingCase] = []
        for place in lines.indices {
            for end in ["\n", "\r", "\r\r\n", "\n\r", "\u{0}\r\n", "\r\u{0}\n", "\u{b}\r\n", "\u{85}", "\u{2028}"] {
                // The last line is empty: what comes before its end makes it none.
                let text = lines.indices.map { lines[$0] + ($0 == place ? end : "\r\n") }.joined()
                // Beyond ASCII nothing ends a line, and a field's value may hold it.
                let isValue = place == 2 && !(end.unicodeScalars.first?.isASCII ?? true)
                cases.append(isValue ? .passes(text + "\r\n") : .refused(text + "\r\n"))
            }
            guard place > 0 else { continue }
            for fold in [" ", "\t", " folded", "\tfolded", " C: d", "  "] {
                let text = lines[..<place].map { $0 + "\r\n" }.joined() + fold + "\r\n"
                cases.append(.refused(text + lines[place...].map { $0 + "\r\n" }.joined()))
            }
        }
        return cases + (1...3).map { .passes(String(repeating: "\r\n", count: $0) + get()) }
            + ["\n", "\r", " ", "\t", "\u{0}", "\u{feff}", "\r\n\n", "\r\n "].map { .refused($0 + get()) }
    }()

    /// Every control character in every part of a head.
    static let controls: [FramingCase] = (Array(0...0x1F) + [0x7F]).flatMap { code -> [FramingCase] in
        let byte = String(UnicodeScalar(UInt8(code)))
        var cases: [FramingCase] = [
            .refused("G\(byte)ET {}/x HTTP/1.1\r\nHost: {host}\r\n\r\n"),
            .refused("GET {}/x\(byte)y HTTP/1.1\r\nHost: {host}\r\n\r\n"),
            .refused("GET {}/x HTTP/1.1\(byte)\r\nHost: {host}\r\n\r\n"),
            .refused(get("A\(byte)B: c\r\n")),
        ]
        cases.append(byte == "\t" ? .passes(get("A: b\(byte)c\r\n")) : .refused(get("A: b\(byte)c\r\n")))
        return cases
    }

    static let requestLines: [FramingCase] =
        ["get", "G", "M-SEARCH", "VERSION-CONTROL", "!#$%&'*+-.^_`|~09azAZ", "PRI", "TRACE", "OPTIONS"].map {
            .passes("\($0) {}/x HTTP/1.1\r\nHost: {host}\r\n\r\n")
        }
        + [
            "", "G(T", "GET,", "\"GET\"", "G\u{e9}T", "GET:", "GET/", "<GET>", "{GET}", "[GET]", "GE@T", "GE;T", "GE=T",
            "GE?T", "GE\\T", " GET", "GET ", "GET\t", "X GET",
        ].map { .refused("\($0) {}/x HTTP/1.1\r\nHost: {host}\r\n\r\n") }
        + [
            "GET {}/x", "GET {}/x ", "GET", "GET ", "{}/x HTTP/1.1", " {}/x HTTP/1.1", "GET {}/x  HTTP/1.1",
            "GET {}/x HTTP/1.1 ", "GET {}/x HTTP/1.1 x", "GET {}/x y HTTP/1.1", "GET  {}/x HTTP/1.1",
            "GET {}/x\tHTTP/1.1",
            "GET\t{}/x HTTP/1.1", "GET HTTP/1.1", "GET  HTTP/1.1", "HTTP/1.1 200 OK", "GET {}/x HTTP/1.1 HTTP/1.1",
        ].map { .refused("\($0)\r\nHost: {host}\r\n\r\n") }

    static let versions: [FramingCase] =
        [
            .passes("GET {}/x HTTP/1.0\r\nHost: {host}\r\n\r\n"), .passes("GET {}/x HTTP/1.0\r\n\r\n"),
        ]
        + ["HTTP/0.9", "HTTP/1.2", "HTTP/2.0", "HTTP/3.0", "HTTP/9.9", "HTTP/0.0", "HTTP/1.9"].map {
            .refused("GET {}/x \($0)\r\nHost: {host}\r\n\r\n", 505)
        }
        + [
            "HTTP/2", "HTTP/1", "HTTP/1.", "HTTP/.1", "HTTP/1.10", "HTTP/11", "HTTP/01.1", "HTTP/1.01", "HTTP/+1.1",
            "HTTP/-1.1", "HTTP/ 1.1", "HTTP /1.1", "HTTP", "HTTP/", "HTTPS/1.1", "ICAP/1.0", "RTSP/1.0", "http/1.1",
            "Http/1.1", "HTTP/1,1", "HTTP/1 1", "HTTP\\1.1", "HTTP-1.1", "XTTP/1.1", "HTTP/1.1x", "HTTP/1.1.1", "/1.1",
        ].map { .refused("GET {}/x \($0)\r\nHost: {host}\r\n\r\n") }

    static let targets: [FramingCase] =
        [
            "/", "/?", "/?a=b&type=-1", "/a//b", "//a", "/a/../b", "/./", "/%00", "/%0d%0aX:%20y", "/%", "/%zz",
            "/;a=b", "/a\\b",
            "/[a]", "/{a}", "/a|b", "/\"a\"", "/<a>", "/^", "/`", "/a?b?c", "/?http://other/", "/@", "/:80", "/a,b",
            "/~", "/'",
        ].map { .passes("GET {}\($0) HTTP/1.1\r\nHost: {host}\r\n\r\n") }
        + ["/a#b", "/#", "#", "?q", "", "/?a#b", "HTTP"].map {
            // What an absolute URL allows, an origin-form target does not.
            $0.hasPrefix("/")
                ? .passes("GET {}\($0) HTTP/1.1\r\nHost: {host}\r\n\r\n", by: [.absolute])
                : $0 == "HTTP"
                    ? .passes("GET HTTP://{host}/x HTTP/1.1\r\nHost: {host}\r\n\r\n", by: [.absolute])
                    : .passes("GET {}\($0) HTTP/1.1\r\nHost: {host}\r\n\r\n", by: [.absolute])
        }
        + [
            "http:/{host}/", "http:{host}/", "http//{host}/", "://{host}/", "{host}", "{host}/", "http://", "http:///x",
            "http://?x",
            "http://#x", "http://@/", "http://u@{host}/", "http://u:p@{host}/", "http://@{host}/", "http://{host}@/x",
            "http://{host}\\@other/", "http://127.0.0.1:0/", "http://127.0.0.1:99999/", "http://127.0.0.1:abc/",
            "http://127.0.0.1:-1/",
            "http://127.0.0.1:+80/", "http://127.0.0.1:80:80/", "http://127.0.0.1:8 0/", "http://[::1/",
            "http://[::1]x/",
            "http://::1/", "http://[127.0.0.1]/", "http://[v1.x]/", "http://[]/", "http://a\u{7f}/", "http://a<b/",
            "http://a|b/",
            "http://a\"b/", "http://a^b/", "http://a`b/", "http://a{b/", "http://127.0.0.1:000080/", "http;//{host}/",
            "1http://", "h\u{e9}tp://{host}/",
        ].map {
            .refused(
                "GET \($0) HTTP/1.1\r\nHost: {host}\r\n\r\n",
                ["h\u{e9}", "://", "1http"].contains(where: $0.hasPrefix) ? 501 : 400,
                by: [.absolute]
            )
        }
        + ["ftp", "ws+x", "file", "javascript", "https+http", "httpx", "data"].map {
            .refused("GET \($0)://{host}/ HTTP/1.1\r\nHost: {host}\r\n\r\n", 501, by: [.absolute])
        }
        + ["x", "*", "http://{host}/", "https://{host}/", "{host}", "?x", "#x", "\\", "%2f", "@", ".", "//"].map {
            $0 == "//"
                ? .passes("GET // HTTP/1.1\r\nHost: {host}\r\n\r\n", by: [.tunnel])
                : .refused("GET \($0) HTTP/1.1\r\nHost: {host}\r\n\r\n", by: [.tunnel])
        }
        + [
            .passes("OPTIONS * HTTP/1.1\r\nHost: {host}\r\n\r\n", by: [.tunnel]),
            .passes("OPTIONS {} HTTP/1.1\r\nHost: {host}\r\n\r\n", by: [.absolute]),
            .refused("OPTIONS * HTTP/1.1\r\nHost: {host}\r\n\r\n", 508, by: [.absolute]),
            .refused("CONNECT {host} HTTP/1.1\r\nHost: {host}\r\n\r\n", by: [.tunnel]),
            .refused("CONNECT {host} HTTP/1.1\r\nHost: {host}\r\nContent-Length: 1\r\n\r\nx"),
            .refused("CONNECT {host} HTTP/1.1\r\nHost: {host}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
            .refused("CONNECT {} HTTP/1.1\r\nHost: {host}\r\n\r\n", by: [.absolute]),
        ]

    static let hosts: [FramingCase] =
        [
            "", "other", "other:80", "127.0.0.1", "LOCALHOST", "[::1]", "[::1]:80", "a.b.c.", "xn--e1aybc", "a_b", "0",
            "a:",
        ].map {
            .passes("GET {}/x HTTP/1.1\r\nHost: \($0)\r\n\r\n")
        }
        + [
            "a/b", "/", "http://a", "a b", "a, b", "a@b", "@", "a:b", "a:80:80", "a:0", "a:99999", "[::1", "::1", "[a]",
            "a?b", "a#b",
            "a\\b", "<a>", "\"a\"", "a|b", "{a}", "a^", "\u{e9}", ":80", "[]", "a:8 0", "a\tb",
        ].map { .refused("GET {}/x HTTP/1.1\r\nHost: \($0)\r\n\r\n") }
        + [
            "", "Host: {host}\r\nHost: {host}\r\n", "Host: {host}\r\nhost: other\r\n",
            "Host: other\r\nHOST: {host}\r\n",
            "Host: {host}\r\nX: y\r\nHost:\r\n", "Host : {host}\r\n", " Host: {host}\r\n", "Host\t: {host}\r\n",
            "Host:\r\n {host}\r\n",
            "Host: {host}\r\n other\r\n", "Host {host}\r\n", "H\u{f8}st: {host}\r\n", "X-Host: {host}\r\n",
            "X-Forwarded-Host: {host}\r\n", "Host\u{0}: {host}\r\n", "Host: {host}\u{0}\r\n", "Host: {host}\rX: y\r\n",
        ].map { .refused("GET {}/x HTTP/1.1\r\n\($0)\r\n") }
        + ["Host: {host}\r\nHost: {host}\r\n", "Host: a/b\r\n", "Host: {host}\r\nhost: x\r\n"].map {
            .refused("GET {}/x HTTP/1.0\r\n\($0)\r\n")
        }
}
