import Lenses
import Support
import Testing

/// What lenses read out of bodies: no input may trap, hang or grow.
@Suite("No body hangs a lens or makes it grow", .timeLimit(.minutes(15)))
struct LensFuzzTests {
    static let parsers: [Fuzz] = [
        Fuzz(
            "graphql",
            pieces: [
                "{", "}", "(", ")", "...", "query ", "fragment F on T", "a", ":", "$a", "@", "\"", "\"\"\"", "\\\"",
                "#", "\n", "[", "]", ",",
            ]
        ) { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            _ = GraphQLDocument.begins(text)
            _ = GraphQLDocument(text)
            view(GraphQLLens(), "application/graphql", bytes, answer: bytes)
        },
        Fuzz(
            "grpc-lens",
            corpus: "grpc",
            pieces: [
                "\0\0\0\0\u{1}", "\u{1}\0\0\0\u{9}", "\u{12}\u{7}", "\u{8}\u{1}", "\u{1A}", "AAAA", "=", "\u{B}",
                "\u{C}",
            ]
        ) { bytes in
            for type in ["application/grpc", "application/grpc-web-text"] {
                view(GRPCLens(), type, bytes, more: "grpc-encoding: gzip\r\n", answer: bytes)
            }
        },
        Fuzz(
            "multipart",
            pieces: [
                "--xyz", "\r\n--xyz", "--xyz--", "\r\n", "\n", "--", "-",
                "Content-Disposition: form-data; name=\"a\"\r\n", ";", "\"", "\\", ":",
            ]
        ) { view(FormLens(), "multipart/form-data; boundary=xyz", $0) },
        Fuzz("form-lens", corpus: "forms", pieces: ["&", "=", "%", "%41", "+", "a", "é"]) {
            view(FormLens(), "application/x-www-form-urlencoded", $0)
        },
        Fuzz(
            "json-lens",
            corpus: "json",
            pieces: ["{", "}", "[", "]", ",", ":", "\"", "\\u", "1", "e9", "null", "{\"a\":", "[["]
        ) {
            view(JSONLens(), "application/json", $0, answer: $0)
        },
        Fuzz(
            "json-rpc",
            pieces: [
                "{", "}", "[", "]", ",", ":", "\"id\":1", "\"method\":\"a\"", "\"params\":", "\"result\":", "null",
            ]
        ) {
            view(JSONRPCLens(), "application/json", $0, answer: $0)
        },
    ]

    /// Has a lens look at an exchange with these bodies, and everything that says which lens it has.
    private static func view(
        _ lens: any Lens,
        _ type: String,
        _ request: [UInt8],
        more: String = "",
        answer: [UInt8] = []
    ) {
        let capture = LensSample.capture(
            "POST",
            "/a.B/C",
            requestFields: "Content-Type: \(type)\r\n\(more)",
            request: request,
            fields: "Content-Type: \(type)\r\n\(more)",
            response: answer
        )
        _ = LensSet.standard.lens(of: capture)
        _ = lens.view(capture)
    }

    @Test("Nearly right bodies are shown, quickly and in little room", arguments: parsers)
    func random(parser: Fuzz) throws {
        #expect(try parser.run(rounds: 150).findings == [])
    }
}
