import Testing
import Traffic

/// Bodies in which a text is cut off, and the secret stands in one behind it, or behind the first megabyte of a string.
@Suite("A secret is masked whatever was cut off before it", .timeLimit(.minutes(15)))
struct RedactedCutsTests {
    private static let secret = "Zx81kQ92Lm07"

    /// Whether an export of a response with this body lacks the secret.
    private func hides(_ text: String, _ type: String) throws -> Bool {
        let sample = SampleExchange(
            response: "HTTP/1.1 200 OK\nContent-Type: \(type)\n\n",
            responseBody: Array(text.replacing("*", with: Self.secret).utf8)
        )
        let redactor = Redactor(patterns: [], digest: Redactor.quickDigest)
        return !String(decoding: try redactor.maskedResponse(of: sample), as: UTF8.self).contains(Self.secret)
    }

    @Test(
        "A string that does not end in its line hides nothing that stands behind it",
        arguments: [
            ("text/event-stream", "data: {\"a\":\"cut\n\ndata: {\"name\":\"password\",\"value\":\"*\"}\n\n"),
            ("text/event-stream", "data: {\"a\":\"cut\r\rdata: {\"name\":\"password\",\"value\":\"*\"}\r\r"),
            (
                "text/event-stream",
                "data: {\"a\":\"cut\r\n\r\ndata: {\"headers\":[{\"name\":\"Authorization\",\"value\":\"*\"}]}\r\n\r\n"
            ),
            (
                "application/x-ndjson",
                "{\"log\":\"half\n{\"columns\":[\"name\",\"password\"],\"rows\":[[\"ann\",\"*\"]]}\n"
            ),
            ("text/event-stream", "data: {\"a\":\"cut\n\ndata: {\"name\":\"password\",\"value\":\"*\n\n"),
            ("application/x-ndjson", "{\"log\":\"half\\\n{\"name\":\"password\",\"value\":\"*\"}\n"),
            ("text/plain", "a { 5\" b\n{\"name\":\"api_key\",\"value\":\"*\"}\n"),
            ("text/plain", "a { 5\" b\n{'name':'api_key','value':'*'}\n"),
        ]
    )
    func lines(_ type: String, _ text: String) throws { #expect(try hides(text, type)) }

    @Test(
        "The data of an event is one text, whatever fields stand between its lines",
        arguments: [
            "data: {\"name\":\"password\",\nid: 5\ndata: \"value\":\"*\"}\n\n",
            "data: {\"name\":\"password\",\r\nretry: 300\r\ndata: \"value\":\"*\"}\r\n\r\n",
            "data: {\rdata: \"name\":\"password\",\rdata: \"value\":\"*\"}\r\r",
            "id: 4\ndata: {\n:comment\ndata:\"name\":\"password\",\ndata: \"value\":\ndata:\ndata: \"*\"}\n\n",
        ]
    )
    func events(_ text: String) throws { #expect(try hides(text, "text/event-stream")) }

    @Test("A value that goes over several lines is masked whole")
    func severalLines() throws {
        #expect(try hides("{\"name\":\"password\",\"value\":\"first\n*\nlast\"}", "application/json"))
    }

    @Test("A list of a megabyte of strings hides nothing behind it, wherever a piece of it begins", arguments: [4, 5])
    func alignments(_ nameLength: Int) throws {
        let list = Array(repeating: "\"y\"", count: 200_000).joined(separator: ",")
        let name = String(repeating: "k", count: nameLength)
        let header = "{\"name\":\"Authorization\",\"value\":\"*\"}"
        let inner = "{\"\(name)\":[\(list)],\"a\":\" [ \",\"headers\":[\(header)]}"
        let text = "{\"s\":\"\(inner.replacing("\"", with: "\\\""))\"}"
        #expect(try hides(text, "application/json"))
    }

    @Test("What stands behind a string of a megabyte is masked, whatever it ends with", arguments: ["", " [", " {"])
    func long(_ end: String) throws {
        let long = String(repeating: "x", count: 1_200_000) + end
        let inner = "{\"a\":\"\(long)\",\"headers\":[{\"name\":\"Authorization\",\"value\":\"*\"}]}"
        let text = "{\"s\":\"\(inner.replacing("\"", with: "\\\""))\"}"
        #expect(try hides(text, "application/json"))
    }

    @Test(
        "A piece that begins in the middle of a run of backslashes hides nothing behind it",
        arguments: [(layers: 1, spelling: "\\\\", cuts: Array(0...6)), (1, "\\u005C", [6]), (2, "\\\\", [4, 6, 7, 8])]
    )
    func backslashes(_ layers: Int, _ spelling: String, _ cuts: [Int]) throws {
        // Strings are searched by the megabyte, and the last 64 KiB of each are searched again with the next.
        let start = (1 << 20) - (64 << 10)
        let escape = { (text: String) in
            (0..<layers).reduce(text) { text, _ in
                text.replacing("\\", with: spelling).replacing("\"", with: "\\\"")
            }
        }
        let head = escape("{\"a\":\"")
        // The first string ends with a backslash, and a bracket in another looks like a list where strings are taken for what is between them.
        let end = escape(
            "\\\\\",\"b\":\"\(String(repeating: "x", count: 80_000))\",\"c\":\" [ \","
                + "\"headers\":[{\"name\":\"Authorization\",\"value\":\"*\"}]}"
        )
        let text = layers == 1 ? ("{\"s\":\"", "\"}") : ("{\"s\":\"{\\\"s\\\":\\\"", "\\\"}\"}")
        let innerStart = text.0.utf8.count - "{\"s\":\"".utf8.count
        for cut in cuts {
            let long = String(repeating: "x", count: start - innerStart - head.utf8.count - cut)
            #expect(try hides(text.0 + head + long + end + text.1, "application/json"), "\(cut) bytes into the run")
        }
    }
}
