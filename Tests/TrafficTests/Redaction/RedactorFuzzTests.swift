import Support
import Testing
import Traffic

/// Texts that are nearly JSON, forms and URLs: nothing traps, and no placeholder makes a text grow without bounds.
@Suite("Redaction reads anything", .timeLimit(.minutes(15)))
struct RedactorFuzzTests {
    @Test("Whatever a body is, masking it ends and stays in bounds", arguments: 0..<3)
    func isBounded(seed: Int) throws { try isBounded(seed: UInt64(seed + 90), rounds: 1_000) }

    /// Masks so many bodies made of what a redactor looks for.
    func isBounded(seed: UInt64, rounds: Int) throws {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "\"password\"", "token", ":", "=", "\"", "\\\"", "'", "{", "}", "[", "]", ",", "&", ";", " ", "\r\n", "\n",
            "<pin>",
            "</pin>", "://", "@", "eyJ", ".", "Bearer ", "Basic ", "abcdefghijklmnop", "12345678", "-----BEGIN ",
            "PRIVATE KEY-----", "-----END ", "name=\"secret\"", "%3D", "AKIA", "null", "%22", "%25", "&quot;", "&#x3D;",
            "\\u0026", "\\\\", "<input name=token value=", "<![CDATA[", "]]>", "--x\r\n",
            "{\"name\":\"password\",\"value\":",
            "[\"Cookie\",", "code=", "\"\"", "\n\"", "|", "\t", "pin,", "sep=", "[[", "\u{FEFF}",
        ]
        for round in 0..<rounds {
            let body = random.bytes(of: pieces, atMost: 200)
            let redactor = Redactor(digest: Redactor.quickDigest)
            func masked(_ bytes: [UInt8]) throws -> [UInt8] {
                let type = round % 2 == 0 ? "text/plain" : "text/csv"
                let head = "HTTP/1.1 200 OK\nContent-Type: \(type)\n\n"
                let sample = SampleExchange(response: head, responseBody: bytes)
                return try redactor.maskedResponse(of: sample)
            }
            let once = try masked(body)
            #expect(once.count <= body.count * 16 + 64)
            #expect(redactor.report.total > 0 || once == body)
        }
    }
}
