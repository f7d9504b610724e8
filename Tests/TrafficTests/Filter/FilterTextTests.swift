import Testing
import Traffic

@Suite("A filter as text", .timeLimit(.minutes(15)))
struct FilterTextTests {
    @Test("Written and read again it is the same filter", arguments: 1...8 as ClosedRange<UInt64>)
    func roundTrip(seed: UInt64) throws {
        var random = RandomFilter(seed: seed)
        for _ in 0..<300 {
            let filter = random.filter()
            let text = filter.text
            let again = try FilterParser.parse(text, now: 0)
            #expect(again == filter, "\(text)\n\(again.text)")
            #expect(again.text == text)
            #expect(filter.isEmpty == text.isEmpty)
            #expect(filter.isEmpty || filter.sentence.hasPrefix("exchanges where "))
        }
    }

    @Test(
        "No text traps the parser: it is read or refused at a column within it",
        arguments: 1...4 as ClosedRange<UInt64>
    )
    func neverTraps(seed: UInt64) {
        var random = RandomFilter(seed: seed)
        let pieces = [
            "(", ")", "-", "\"", "/", "\\", "*", ",", ":", "=", ">", "<", "..", "[", "]", "{", "}", "?", "+", "|", "^",
            "$", " ", " or ", "and",
            "code:", "path:", "json:$", "header:", "since:", "size:", "time:", "id:", "body:/", "host:", "404",
            "9999999999999999999", "é",
            "\u{301}", "\u{0}", "\n", "'", "x", "\u{1F600}", "is:", "type:", "&", "~", "%",
        ]
        for _ in 0..<3_000 {
            var text = Bool.random(using: &random.dice) ? random.filter().text : ""
            for _ in 0..<Int.random(in: 0...12, using: &random.dice) {
                let piece = pieces.randomElement(using: &random.dice) ?? ""
                let place = text.index(text.startIndex, offsetBy: Int.random(in: 0...text.count, using: &random.dice))
                text.insert(contentsOf: piece, at: place)
            }
            do {
                let filter = try FilterParser.parse(text, now: 0)
                _ = filter.sentence
            } catch {
                #expect((1...text.count + 1).contains(error.column ?? 0), "\(text)")
                #expect(!error.description.isEmpty)
            }
        }
    }

    @Test(
        "It is said in English",
        arguments: [
            ("", "every exchange"),
            ("code:5xx,404 method:get", "exchanges where the code is from 500 to 599 or 404 and the method is GET"),
            ("-host:cdn.test", "exchanges where the host is not cdn.test or under it"),
            (
                "-(path:/a or body:x)",
                "exchanges where (the path does not contain \"/a\" and a body does not contain \"x\")"
            ),
            ("time:>=1s", "exchanges where the duration is at least 1 s"),
            (
                "time:>500ms size:<10k",
                "exchanges where the duration is more than 500 ms and the response's body is less than 10000 bytes"
            ),
            (
                "reqsize:1000..2000 time:1ms..1500us",
                "exchanges where the request's body is from 1000 bytes to 2000 bytes and the duration is from 1 ms to 1500 µs"
            ),
            (
                "resheader:server=nginx",
                "exchanges where the response's message has a field server that contains \"nginx\""
            ),
            ("-rule:staging is:modified", "exchanges where the rule is not staging and it is changed by a rule"),
            ("json:$.a=1 is:replay", "exchanges where a JSON body has $.a equal to \"1\" and it is a replay"),
        ]
    )
    func sentences(text: String, sentence: String) throws {
        #expect(try FilterParser.parse(text, now: 0).sentence == sentence)
    }
}
