import Archive
import Support
import Testing
import Traffic

/// Parsers of what comes in bodies, files and queries: no input may trap, hang or grow.
@Suite("Nothing that is read hangs or grows", .timeLimit(.minutes(15)))
struct ReaderFuzzTests {
    static let parsers: [Fuzz] = [
        Fuzz("codings", pieces: ["\u{1F}", "\u{8}", "\0", "(", "x"]) { bytes in
            let names = ["gzip", "deflate", "br", "zstd", "gzip, gzip", "deflate, br", "x, gzip"]
            let decoder = ContentDecoder(
                names: ContentCoding.names([names[Int(bytes.first ?? 0) % names.count]]),
                limitBytes: 1 << 20
            )
            var count = 0
            decoder.write(Array(bytes.dropFirst())) { count += $0.count }
            decoder.finish { count += $0.count }
        },
        Fuzz(
            "archives",
            pieces: [
                "{", "}", "[", "]", ",", ":", "\"", "\\", "\n", "\"log\":", "\"entries\":[", "null", "-1", "1e999",
                "\"base64\"",
                "\\ud800", "{\"a\":", "{\"name\":\"a\",\"value\":\"b\"},",
            ]
        ) { bytes in
            var reader = ArchiveReader(digest: { _ in [UInt8](repeating: 7, count: 32) })
            try reader.write(bytes) { _ in }
            try reader.finish { _ in }
        },
        Fuzz(
            "har-check",
            corpus: "archives",
            pieces: ["{", "}", "[", "]", ",", ":", "\"", "\\", "\n", "null", "1e999", "{\"a\":"]
        ) { bytes in
            var checker = HARChecker(repairs: true)
            try checker.write(bytes, tell: { _, _ in }, write: { _ in })
            try checker.finish(tell: { _, _ in }, write: { _ in })
        },
        Fuzz("json", pieces: ["{", "}", "[", "]", ",", ":", "\"", "\\u", "1", "e9", "-", ".", "null", "{\"a\":", "[["])
        {
            _ = JSONReader.values($0)
            _ = try JSONReader.value($0)
        },
        Fuzz(
            "query",
            pieces: [
                "(", ")", "-", "\"", "/", "\\", "*", ",", ":", "..", "[", "{9}", "?", "+", "|", " ", " or ", "code:",
                "path:", "json:$",
                "header:", "since:", "id:", "body:/", "404", "é", "@a",
            ]
        ) { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            let filter = try FilterParser.parse(text, now: 0)
            _ = filter.sentence
            _ = try FilterParser.terms(text, now: 0)
        },
        Fuzz("forms", pieces: ["&", "=", "%", "%41", "+", ";", "a", "é"]) { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            _ = QueryString.items(text)
            _ = Cookie.sent(text)
            _ = Cookie.set(text)
            _ = MediaType(text)?.charset
        },
    ]

    @Test("Nearly right inputs are read or refused, quickly and in little room", arguments: parsers)
    func random(parser: Fuzz) throws {
        #expect(try parser.run(rounds: 400).findings == [])
    }
}
