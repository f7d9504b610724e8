import Testing
import Traffic

/// Bodies in which a text is cut off, and the secret stands in one behind it, or behind the first piece of a string.
@Suite("A secret is masked whatever was cut off before it", .timeLimit(.minutes(15)))
struct RedactedCutsTests {
    private static let secret = "Zx81kQ92Lm07"

    /// Half a kilobyte at a time, so that short texts have many pieces.
    private static let (bytes, overlapBytes) = (512, 64)
    /// More than one piece of a text.
    private static let long = String(repeating: "x", count: 600)

    private let window = SearchWindow(bytes: bytes, overlapBytes: overlapBytes)

    /// Whether an export of a response with this body lacks the secret.
    private func hides(_ text: String, _ type: String) throws -> Bool {
        let sample = SampleExchange(
            response: "HTTP/1.1 200 OK\nContent-Type: \(type)\n\n",
            responseBody: Array(text.replacing("*", with: Self.secret).utf8)
        )
        let redactor = Redactor(window: window, digest: Redactor.quickDigest)
        return !String(decoding: try redactor.maskedResponse(of: sample), as: UTF8.self).contains(Self.secret)
    }

    /// Whether the text lacks the secret once it is masked.
    private func hides(_ text: String) -> Bool {
        let redactor = Redactor(window: window, digest: Redactor.quickDigest)
        return !redactor.masked(text.replacing("*", with: Self.secret)).contains(Self.secret)
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

    @Test(
        "The data of an event is one text, however long its lines are",
        arguments: [
            "data: {\"pad\":\"#\",\"name\":\"password\",\ndata: \"value\":\"*\"}\n\n",
            "data: {\"pad\":\"@\",\"name\":\"password\",\ndata: \"value\":\"*\",\"b\":\"@\"}\n\n",
            "data: {\ndata: \"a\":\"#\",\ndata: \"b\":\"#\",\"value\":\"*\",\ndata: \"name\":\"password\"}\n\n",
        ]
    )
    func longLines(_ text: String) throws {
        let half = String(repeating: "x", count: 300)
        let text = text.replacing("#", with: Self.long).replacing("@", with: half)
        #expect(try hides(text, "text/event-stream"))
    }

    @Test("The data of an event is one text, wherever in it many lines of the same length are cut")
    func manyLines() throws {
        let line = String(repeating: "x", count: Self.overlapBytes)
        for place in 0..<20 {
            let lines = (0...20).map { number in
                let start = number == 0 ? "{" : number == place + 1 ? "\"value\":\"*\"," : ""
                let end = number == place ? ",\"name\":\"password\"," : ","
                return "data: \(start)\"a\":\"\(line)\"\(end)\n"
            }
            #expect(try hides(lines.joined() + "data: \"b\":1}\n\n", "text/event-stream"), "\(place)")
        }
    }

    @Test("The data of an event is one text behind a byte order mark, and in a stream inside another text")
    func innerEvents() throws {
        let stream = "data: {\"name\":\"password\",\ndata: \"value\":\"*\"}\n\n"
        #expect(try hides("\u{FEFF}" + stream, "text/event-stream"))
        // JSON spells the ends of lines.
        let inner = CutSpelling.slashes.whole(stream).replacing("\n", with: "\\n")
        for text in [inner, CutSpelling.slashes.whole(inner)] {
            #expect(try hides(text, "application/json"), "\(text)")
        }
        #expect(try hides(CutSpelling.percent.whole(stream), "text/plain"))
    }

    @Test("The data of an event in a string longer than a piece is one text, wherever the piece begins in a line of it")
    func cutEvents() throws {
        for count in 350..<500 {
            let pad = String(repeating: "x", count: count)
            let stream = "data: {\"a\":\"\(pad)\",\"name\":\"password\",\ndata: \"value\":\"*\"}\n\n"
            let text = CutSpelling.slashes.whole(stream).replacing("\n", with: "\\n")
            #expect(try hides(text, "application/json"), "\(count)")
        }
    }

    @Test("A value that goes over several lines is masked whole")
    func severalLines() throws {
        #expect(try hides("{\"name\":\"password\",\"value\":\"first\n*\nlast\"}", "application/json"))
    }

    @Test("A list of a thousand bytes hides nothing behind it, wherever a piece of it begins", arguments: 0..<6)
    func alignments(_ nameLength: Int) throws {
        let list = Array(repeating: "\"y\"", count: 200).joined(separator: ",")
        let name = String(repeating: "k", count: nameLength)
        let header = "{\"name\":\"Authorization\",\"value\":\"*\"}"
        let inner = "{\"\(name)\":[\(list)],\"a\":\" [ \",\"headers\":[\(header)]}"
        #expect(try hides(CutSpelling.slashes.whole(inner), "application/json"))
    }

    @Test(
        "What stands behind a string longer than a piece is masked, whatever it ends with",
        arguments: ["", " [", " {"]
    )
    func long(_ end: String) throws {
        let inner = "{\"a\":\"\(Self.long)\(end)\",\"headers\":[{\"name\":\"Authorization\",\"value\":\"*\"}]}"
        #expect(try hides(CutSpelling.slashes.whole(inner), "application/json"))
    }

    @Test("What stands behind a string of a megabyte is masked in windows of the usual size")
    func megabyte() {
        let long = String(repeating: "x", count: 1_100_000)
        let inner = "{\"a\":\"\(long) [\",\"headers\":[{\"name\":\"Authorization\",\"value\":\"\(Self.secret)\"}]}"
        let masked = Redactor(digest: Redactor.quickDigest).masked(CutSpelling.slashes.whole(inner))
        #expect(!masked.contains(Self.secret))
    }

    @Test(
        "A name and a value behind the beginning of their object are masked, whatever ended before them",
        arguments: [
            "{\"pad\":\"#\",\"name\":\"password\",\"value\":\"*\"}",
            "{\"pad\":\"#\",\"value\":\"*\",\"name\":\"password\"}",
            "{\"pad\":[[\"#\"]],\"name\":\"password\",\"value\":\"*\"}",
            "{\"a\":{\"pad\":[\"#\"],\"b\":1},\"name\":\"password\",\"value\":{\"c\":\"*\"}}",
            "{\"h\":[\"a\",\"#\",\"Authorization\",\"*\"]}", "{\"h\":[\"a\",\"#\",\"b\",\"c\",\"X-Api-Key\",\"*\"]}",
        ]
    )
    func members(_ text: String) throws {
        #expect(try hides(CutSpelling.slashes.whole(text.replacing("#", with: Self.long)), "application/json"))
    }

    @Test(
        "A piece that begins in the middle of an escape, or of a run of backslashes, hides nothing behind it",
        arguments: CutSpelling.allCases,
        [1, 2]
    )
    func backslashes(_ spelling: CutSpelling, _ layers: Int) throws {
        let head = "{\"a\":\""
        // The second piece of the spelled text begins here.
        let start = Self.bytes - Self.overlapBytes + spelling.start
        let place = spelling.whole(head + "Q", layers: layers).utf8.prefix { $0 != UInt8(ascii: "Q") }.count
        // A bracket in a string looks like a list where strings are taken for what is between them.
        let end =
            "\",\"b\":\"\(String(repeating: "x", count: 70))\",\"c\":\" [ \","
            + "\"headers\":[{\"name\":\"Authorization\",\"value\":\"*\"}]}"
        // After an odd number of backslashes the string goes on behind its mark.
        let runs = [("\\\\", ""), ("\\", "\" [ y"), ("\\\\\\\\", ""), ("\\\\\\", "\" [ y")]
        for (marks, rest) in runs.prefix(4 / layers) {
            let spelled = spelling.whole(marks, layers: layers).utf8.count
            for cut in 0...spelled - spelling.whole("", layers: layers).utf8.count {
                let long = String(repeating: "x", count: start - place - cut)
                let text = spelling.whole(head + long + marks + rest + end, layers: layers)
                #expect(hides(text), "\(cut) bytes into \(marks)")
            }
        }
    }
}
