import Archive
import Testing
import Traffic

/// Scripts are run by people who have not read every line of the archive that they came from.
@Suite(.timeLimit(.minutes(15)))
struct RequestScriptTests {
    /// Every character that ends a line in one of the languages, or in the eyes of a reader.
    private static let lineEnds = ["\n", "\r", "\r\n", "\u{0B}", "\u{0C}", "\u{85}", "\u{2028}", "\u{2029}"]
    private static let intruder = "touch /tmp/intruder #"

    private static let scripts: [any RequestScript & Sendable] = [
        CurlCommand(), HTTPieCommand(), PythonScript(), JavaScriptModule(), SwiftScript(), PostmanCollection(),
    ]

    @Test("Nothing in a captured request is one of Postman's variables", arguments: ["{{host}}.test", "{{host}}:1"])
    func variables(host: String) throws {
        let body = #"{"a":"{{token}}","b":"{{ base_url }}"}"#
        let sample = SampleExchange(
            head: "POST /{{path}}?q={{query}} HTTP/1.1\nHost: api.example.test\nX-Own: {{own}}\nX-Kept: {one}\n\n",
            target: "/{{path}}?q={{query}}",
            requestBody: Array(body.utf8)
        )
        var exchange = sample.exchange
        exchange.host = host
        let request = try #require(try SentRequest(ExchangeRecord(exchange: exchange), source: sample.source))
        var written: [UInt8] = []
        try PostmanCollection().write(request, isFirst: true) { written += $0 }
        let text = String(decoding: written, as: UTF8.self)
        #expect(!text.contains("{{") && text.contains("{one}"), "\(text)")
        let value = try JSONReader.value(written)
        let content = value["request"]?["body"]?["file"]?["content"]?.string
        #expect(content == Base64Encoder.text(Array(body.utf8)))
        #expect(value["request"]?["description"]?.string?.contains("X-Own") == true)
    }

    @Test(
        "HTTPie gets no field that it would take for an option, and no method that it would take for an address",
        arguments: ["POST", "M-SEARCH", "-X", "--daemon"]
    )
    func options(method: String) throws {
        let sample = SampleExchange(head: "POST /a HTTP/1.1\nHost: api.example.test\n-o.profile: a\n\n", target: "/a")
        var exchange = sample.exchange
        exchange.method = method
        let request = try #require(try SentRequest(ExchangeRecord(exchange: exchange), source: sample.source))
        var written: [UInt8] = []
        try HTTPieCommand().write(request, isFirst: true) { written += $0 }
        let lines = String(decoding: written, as: UTF8.self).split(separator: "\n")
        let commands = lines.filter { !$0.hasPrefix("# ") }
        if method == "POST" {
            let options = try #require(commands.firstIndex { $0.contains(" -- POST https://") })
            let field = try #require(commands.firstIndex { $0.contains("-o.profile") })
            #expect(options < field, "\(lines)")
        } else {
            #expect(commands.isEmpty && lines.contains { $0.contains("letters only") }, "\(lines)")
        }
    }

    @Test("No text of an archive begins a line of its own in a script", arguments: scripts)
    func remarks(script: any RequestScript & Sendable) throws {
        for end in Self.lineEnds {
            let planted = "cut\(end)\(Self.intruder)"
            var sample = SampleExchange(
                head: "POST /a HTTP/1.1\nHost: api.example.test\nX-Note: a\n\n",
                target: "/a\(planted)",
                requestBody: Array("body".utf8)
            )
            sample.exchange.request.body.archived = ArchivedBody(form: .text, size: 9, kept: 4, problem: planted)
            let request = try #require(try SentRequest(sample.record, source: sample.source))
            var written: [UInt8] = []
            try script.write(request, isFirst: true) { written += $0 }
            let text = String(decoding: written, as: UTF8.self)
            #expect(text.contains("touch"), "the remark is there: \(text)")
            let lines = text.split { $0.isNewline }
            #expect(!lines.contains { $0.hasPrefix("touch") }, "\(end.debugDescription): \(text)")
            for scalar in text.unicodeScalars where scalar != "\n" {
                #expect(VisibleText.isVisible(scalar), "U+\(String(scalar.value, radix: 16)) in \(text)")
            }
        }
    }
}
