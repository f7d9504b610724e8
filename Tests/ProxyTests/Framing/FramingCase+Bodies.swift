/// How a body's end is told, rightly and wrongly (RFC 9112 §6, §7).
extension FramingCase {
    static let lengths: [FramingCase] =
        ["5", "05", "000005", " 5", "5 ", "\t5\t", "   5   "].map {
            .passes(post("Content-Length:\($0)\r\n", "hello"))
        }
        + ["Content-length", "content-length", "CONTENT-LENGTH", "cOnTeNt-LeNgTh"].map {
            .passes(post("\($0): 5\r\n", "hello"))
        }
        + [
            "+5", "-5", "-0", "0x5", "5 5", "5,5", "5, 5", "5,6", "5,", ",5", "", " ", "5.0", "5e0", "0b101", "0o5",
            "5;",
            "5;q=1", "\"5\"", "'5'", "five", "5\u{a0}", "\u{a0}5", "\u{661}", "5\u{e9}", "9999999999999999999",
            "18446744073709551621", "9223372036854775808", "00000000000000000005", "1e1", "5_0", "5'0", "(5)", "[5]",
            "5\t5", "5 \t 6", "NaN", "Infinity", "null", "5=5", "5:5", "5/5", "#5", "%35",
        ].map { .refused(post("Content-Length: \($0)\r\n", "hello")) }
        + ["5\u{b}", "\u{b}5", "5\u{c}", "5\u{0}", "\u{0}5", "5\u{7f}", "5\u{1b}"].map {
            .refused(post("Content-Length: \($0)\r\n", "hello"))
        }
        + [("5", "5"), ("5", "6"), ("6", "5"), ("0", "5"), ("5", "0"), ("5", ""), ("", "5"), ("5", "x"), ("5", "05")]
        .flatMap { first, second in
            ["Content-Length", "content-length", "CONTENT-LENGTH"].flatMap { name in
                [
                    .refused(post("Content-Length: \(first)\r\n\(name): \(second)\r\n", "hello")),
                    .refused(post("Content-Length: \(first)\r\nX: y\r\n\(name): \(second)\r\n", "hello")),
                ]
            }
        }
        + ["GET", "HEAD", "DELETE", "OPTIONS", "PUT", "PATCH", "TRACE", "QUERY"].map {
            .passes("\($0) {}/x HTTP/1.1\r\nHost: {host}\r\nContent-Length: 5\r\n\r\nhello")
        }
        + [.passes(post("Content-Length: 0\r\n", "")), .passes(post("Content-Length: 000\r\n", ""))]

    static let codings: [FramingCase] =
        ["chunked", "Chunked", "CHUNKED", "  chunked", "chunked  ", "\tchunked\t", "cHuNkEd"].map {
            .passes(post("Transfer-Encoding:\($0)\r\n", hello))
        }
        + [
            "gzip, chunked", "chunked, gzip", "chunked, chunked", "chunked,chunked", "chunked,", ",chunked",
            ", chunked",
            "chunked, ", "identity", "identity, chunked", "chunked, identity", "chunked;q=1", "chunked; q=1",
            "chunked;x", "chunked ;x", "\"chunked\"", "'chunked'", "chun ked", "chunked x", "x chunked", "xchunked",
            "chunkedx", "x-chunked", "chunk", "gzip", "x-gzip", "deflate", "compress", "br", "trailers", "*", "", " ",
            "none", "chunked\u{a0}", "\u{a0}chunked", "chunked=1", "(chunked)", "chunked.", "chunked:",
            "\u{17f}chunked",
            "c\u{e9}unked", "chun\u{212A}ed", "CHUN\u{212A}ED", "binary", "8bit", "Chunked, Chunked", "chunked/1.1",
            "chunked\\", "0",
        ].map { .refused(post("Transfer-Encoding: \($0)\r\n", hello), 501) }
        + ["\u{b}chunked", "chunked\u{b}", "\u{0}chunked", "chunked\u{0}", "\u{c}chunked", "chunked\u{7f}", "\u{8}"].map
    {
        .refused(post("Transfer-Encoding: \($0)\r\n", hello))
    }
        + ["chunked", "identity", "gzip", "", "x", "chunked, chunked"].flatMap { second in
            ["Transfer-Encoding", "transfer-encoding", "TRANSFER-ENCODING"].map {
                .refused(post("Transfer-Encoding: chunked\r\n\($0): \(second)\r\n", hello), 501)
            }
        }
        + ["chunked", "identity", "gzip", "x", "", "chunked, chunked"].flatMap { coding in
            ["5", "0", "15", "6"].flatMap { length in
                [
                    .refused(post("Content-Length: \(length)\r\nTransfer-Encoding: \(coding)\r\n", hello)),
                    .refused(post("Transfer-Encoding: \(coding)\r\nX: y\r\ncontent-length: \(length)\r\n", hello)),
                ]
            }
        }
        + [
            .refused("POST {}/x HTTP/1.0\r\nHost: {host}\r\nTransfer-Encoding: chunked\r\n\r\n\(hello)"),
            .refused("POST {}/x HTTP/1.0\r\nHost: {host}\r\nTransfer-Encoding: identity\r\n\r\n"),
            .refused("GET {}/x HTTP/1.0\r\nHost: {host}\r\nTransfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n"),
        ]
        + ["GET", "HEAD", "DELETE", "OPTIONS", "PUT", "TRACE"].map {
            .passes("\($0) {}/x HTTP/1.1\r\nHost: {host}\r\nTransfer-Encoding: chunked\r\n\r\n\(hello)")
        }

    /// Names that another reader may take for a framing field's, and some that nobody does.
    static let framingNames: [FramingCase] =
        ["Transfer-Encoding: chunked", "Content-Length: 5"].flatMap { line -> [FramingCase] in
            let name = String(line.prefix { $0 != ":" })
            let value = String(line.dropFirst(name.count + 2))
            let body = name.hasPrefix("T") ? hello : "hello"
            let bad = [
                "\(name) : \(value)", "\(name)\t: \(value)", " \(name): \(value)", "\t\(name): \(value)",
                "\(name)\u{0}: \(value)", "\u{0}\(name): \(value)", "\u{b}\(name): \(value)", "\(name)\u{b}: \(value)",
                "\(name)\r: \(value)", "\(name)\r\n: \(value)", "\(name):\r\n \(value)", "\(name):\n \(value)",
                "\(name): \(value)\r", "\(name):\u{0}\(value)", "\(name) \(value)", "\(name)=\(value)",
                "\(name)\u{ff1a} \(value)",
                "\(name.replacing("-", with: "_")): \(value)",
                "\(name.lowercased().replacing("-", with: "_")): \(value)",
                "\(name.replacing("-", with: " ")): \(value)", "(\(name)): \(value)", "\"\(name)\": \(value)",
                "\(name.replacing("-", with: "\u{2d0}")): \(value)", "\(name.replacing("n", with: "\u{f1}")): \(value)",
                "X: y\r\(name): \(value)", "X: y\n\(name): \(value)", "X: y\r\r\n\(name): \(value)",
                "X\r\n\(name): \(value)",
                ": \(value)\r\n\(name): \(value)", "X: y\r\n \(name): \(value)", "X: y\r\n\t\(name): \(value)",
                "\(name);: \(value)", "\(name)@: \(value)", "\(name)/: \(value)", "<\(name)>: \(value)",
            ]
            let harmless = [
                "X-\(name)", "\(name)-X", "\(name.dropLast())", "\(name.dropFirst())",
                "\(name.replacing("-", with: "."))",
                "\(name.replacing("-", with: "--"))", "\(name)~", "_\(name)", "!\(name)", "\(name)2",
            ]
            // Without a framing field there is no body: what follows would be a request of its own.
            return bad.map { .refused(post("\($0)\r\n", body)) }
                + harmless.map { .passes(post("\($0): \(value)\r\nContent-Length: 0\r\n", "")) }
        }

    static let chunkSizes: [FramingCase] =
        [
            hello, "05\r\nhello\r\n0\r\n\r\n", "000000000000005\r\nhello\r\n0\r\n\r\n", "5;a\r\nhello\r\n0\r\n\r\n",
            "5;a=b\r\nhello\r\n0\r\n\r\n", "5;a=\"b\"\r\nhello\r\n0\r\n\r\n", "5;a=\"b;c\"\r\nhello\r\n0\r\n\r\n",
            "5;a=\"0\"\r\nhello\r\n0\r\n\r\n", "5;;;\r\nhello\r\n0\r\n\r\n", "5;\r\nhello\r\n0\r\n\r\n",
            "5;a=\u{e9}\r\nhello\r\n0\r\n\r\n", "5;\t\r\nhello\r\n0\r\n\r\n", "a\r\n0123456789\r\n0\r\n\r\n",
            "A\r\n0123456789\r\n0\r\n\r\n", "1\r\nh\r\n4\r\nello\r\n0\r\n\r\n", "5\r\nhello\r\n00\r\n\r\n",
            "5\r\nhello\r\n0;last\r\n\r\n", "0\r\n\r\n", "5\r\n\r\n\r\n\r\r\n0\r\n\r\n", "5\r\n0\r\n\r\n\r\n0\r\n\r\n",
            "2\r\n\r\n\r\n0\r\n\r\n", "5;" + String(repeating: "a", count: 4_000) + "\r\nhello\r\n0\r\n\r\n",
            String(repeating: "1\r\nx\r\n", count: 300) + "0\r\n\r\n",
        ].map { .passes(chunks($0)) }
        + [
            "5\nhello\r\n0\r\n\r\n", "5\rhello\r\n0\r\n\r\n", "5\r\nhello\n0\r\n\r\n", "5\r\nhello\r0\r\n\r\n",
            "5\r\nhello0\r\n\r\n", "5\r\nhello!\r\n0\r\n\r\n", "4\r\nhello\r\n0\r\n\r\n", "6\r\nhello\r\n0\r\n\r\n",
            "5\r\nhello\r\n\r\n0\r\n\r\n", "5\r\nhello\r\n0\n\r\n", "5\r\nhello\r\n0\r\n\n\r\n\r\n",
            "5\r\nhello\r\n\n\n",
            "g\r\nhello\r\n0\r\n\r\n", "0x5\r\nhello\r\n0\r\n\r\n", "0X5\r\nhello\r\n0\r\n\r\n",
            "-5\r\nhello\r\n0\r\n\r\n",
            "+5\r\nhello\r\n0\r\n\r\n", " 5\r\nhello\r\n0\r\n\r\n", "5 \r\nhello\r\n0\r\n\r\n",
            "\t5\r\nhello\r\n0\r\n\r\n",
            "5\t\r\nhello\r\n0\r\n\r\n", "5 ;a\r\nhello\r\n0\r\n\r\n", "5,\r\nhello\r\n0\r\n\r\n",
            "5=a\r\nhello\r\n0\r\n\r\n",
            "5:a\r\nhello\r\n0\r\n\r\n", "5.0\r\nhello\r\n0\r\n\r\n", "5_\r\nhello\r\n0\r\n\r\n",
            "5h\r\nhello\r\n0\r\n\r\n",
            "\"5\"\r\nhello\r\n0\r\n\r\n", "five\r\nhello\r\n0\r\n\r\n", "\u{665}\r\nhello\r\n0\r\n\r\n",
            "\r\nhello\r\n0\r\n\r\n", ";a\r\nhello\r\n0\r\n\r\n", "\r\n5\r\nhello\r\n0\r\n\r\n",
            "5;a\u{0}\r\nhello\r\n0\r\n\r\n",
            "5;a\nb\r\nhello\r\n0\r\n\r\n", "5;a\rb\r\nhello\r\n0\r\n\r\n", "5;\u{7f}\r\nhello\r\n0\r\n\r\n",
            "5;a=\"\n\"\r\nhello\r\n0\r\n\r\n", "5\u{0}\r\nhello\r\n0\r\n\r\n", "5\u{b}\r\nhello\r\n0\r\n\r\n",
            "10000000000000005\r\nhello\r\n0\r\n\r\n", "ffffffffffffffff\r\n", "7fffffffffffffff\r\n",
            "fffffffffffffffff\r\n",
            "100000000\u{0}5\r\n", "0000000000000000000000005\r\nhello\r\n0\r\n\r\n",
            "5;" + String(repeating: "a", count: 5_000),
            String(repeating: "0", count: 5_000), "hello\r\n", "POST / HTTP/1.1\r\n\r\n", "0\r\nGET / HTTP/1.1\r\n\r\n",
            "5\r\r\nhello\r\n0\r\n\r\n", "5\r\nhello\r\r\n0\r\n\r\n",
        ].map { .refused(chunks($0)) }

    static let trailers: [FramingCase] =
        ["T: 1\r\n", "T: 1\r\nT: 2\r\n", "T:\r\n", "T:  1 \t\r\n", "X-Sum: \u{e9}\r\n", "Digest: a=b, c\r\n"].map {
            .passes(chunks("5\r\nhello\r\n0\r\n\($0)\r\n"))
        }
        + [
            "Content-Length: 5\r\n", "content-length: 0\r\n", "Transfer-Encoding: chunked\r\n",
            "TRANSFER-ENCODING: x\r\n", "Host: other\r\n", "hOST: other\r\n", "A : 1\r\n", " A: 1\r\n", "\tA: 1\r\n",
            "A: 1\r\n b\r\n", "A: 1\n", "A: \u{0}\r\n", "A\u{0}: 1\r\n", "A\r\n", ": 1\r\n", "A: 1\r\r\n\r\n",
            "A: 1\rB: 2\r\n", "A: 1\nB: 2\r\n", "\u{e9}: 1\r\n", "(A): 1\r\n", "A: \u{7f}\r\n",
        ].map { .refused(chunks("5\r\nhello\r\n0\r\n\($0)\r\n")) }
        + [.refused(chunks("0\r\n" + String(repeating: "A: b\r\n", count: 1_001) + "\r\n"), 431)]
}
