import Foundation
import Testing
import Traffic

/// Bodies in which a secret number (`*`, eight digits) is named once and stands elsewhere too; `#` is its placeholder.
@Suite("A number that is masked wherever it stands leaves JSON that can be read", .timeLimit(.minutes(15)))
struct RedactedNumbersTests {
    private static let secret = "48210397"

    /// What an export has of a response with this body, each placeholder as `#`.
    private func masked(
        _ text: String,
        type: String = "application/json",
        patterns: [NSRegularExpression] = []
    ) throws -> String {
        let sample = SampleExchange(
            response: "HTTP/1.1 200 OK\nContent-Type: \(type)\n\n",
            responseBody: Array(text.replacingOccurrences(of: "*", with: Self.secret).utf8)
        )
        let redactor = Redactor(patterns: patterns, digest: Redactor.quickDigest)
        let bytes = try redactor.maskedResponse(of: sample)
        // Swift's own expressions and replacements take most of a minute for a megabyte.
        let placeholder = try NSRegularExpression(pattern: "<[a-z]+:[0-9a-f]+>")
        let out = String(decoding: bytes, as: UTF8.self)
        let whole = NSRange(location: 0, length: out.utf16.count)
        return placeholder.stringByReplacingMatches(in: out, range: whole, withTemplate: "#")
    }

    /// The value of a JSON text.
    @discardableResult
    private func value(_ text: some StringProtocol) throws -> Any {
        try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
    }

    @Test(
        "In JSON the placeholder of a number is a string, and one in a string or name gets no quotation marks",
        arguments: [
            (##"{"pin":*,"x":*}"##, ##"{"pin":"#","x":"#"}"##),
            (##"{"x" : * , "pin" : *}"##, ##"{"x" : "#" , "pin" : "#"}"##),
            (##"{"pin":"*","x":*}"##, ##"{"pin":"#","x":"#"}"##),
            ("{\n  \"pin\": *,\n  \"x\": *\n}\n", "{\n  \"pin\": \"#\",\n  \"x\": \"#\"\n}\n"),
            (##"{"pin":*,"a":[*,1,[*]],"b":{}}"##, ##"{"pin":"#","a":["#",1,["#"]],"b":{}}"##),
            (##"[*,{"pin":*},[],true,false,null,*]"##, ##"["#",{"pin":"#"},[],true,false,null,"#"]"##),
            (##"{"pin":*,"a":1*,"b":*1,"c":**}"##, ###"{"pin":"#","a":"1#","b":"#1","c":"##"}"###),
            (##"{"pin":*,"a":-*,"b":*.5,"c":*e2}"##, ##"{"pin":"#","a":"-#","b":"#.5","c":"#e2"}"##),
            (##"{"pin":*,"a":4.8210397e7,"b":4821039}"##, ##"{"pin":"#","a":4.8210397e7,"b":4821039}"##),
            (##"{"pin":*,"a":"pin is *","b":"* \" *"}"##, ##"{"pin":"#","a":"pin is #","b":"# \" #"}"##),
            (##"{"pin":*,"*":1,"a":{"*":*}}"##, ##"{"pin":"#","#":1,"a":{"#":"#"}}"##),
            (##"{"pin":*,"s":"[*,1]","t":"[*] said"}"##, ##"{"pin":"#","s":"[\"#\",1]","t":"[#] said"}"##),
            (##"{"pin":*,"s":"{\"x\":*,\"y\":\"*\"}"}"##, ##"{"pin":"#","s":"{\"x\":\"#\",\"y\":\"#\"}"}"##),
            (##"{"s":"{\"pin\":*,\"x\":*}"}"##, ##"{"s":"{\"pin\":\"#\",\"x\":\"#\"}"}"##),
            (
                ##"{"pin":*,"s":"{\"t\":\"{\\\"x\\\":*}\"}"}"##,
                ##"{"pin":"#","s":"{\"t\":\"{\\\"x\\\":\\\"#\\\"}\"}"}"##
            ),
            (##""{\"pin\":*,\"x\":*}""##, ##""{\"pin\":\"#\",\"x\":\"#\"}""##),
        ]
    )
    func json(_ text: String, _ expected: String) throws {
        let out = try masked(text)
        #expect(out == expected)
        #expect(throws: Never.self, "\(out)") { try value(out) }
        #expect(!out.contains(Self.secret))
    }

    @Test("JSON over several lines of an event's data is JSON")
    func lines() throws {
        let out = try masked("data: {\ndata: \"pin\": *,\ndata:\"x\": *\ndata: }\n\n", type: "text/event-stream")
        #expect(out == "data: {\ndata: \"pin\": \"#\",\ndata:\"x\": \"#\"\ndata: }\n\n")
    }

    @Test("JSON of an event is JSON whatever fields stand between the lines of its data")
    func between() throws {
        let out = try masked("data: {\"pin\":*,\nid: 7\ndata: \"x\":[*,\n:c\ndata: *]}\n\n", type: "text/event-stream")
        #expect(out == "data: {\"pin\":\"#\",\nid: 7\ndata: \"x\":[\"#\",\n:c\ndata: \"#\"]}\n\n")
    }

    @Test("An event that is cut off does not reach into the one behind it", arguments: ["\n", "\r\n", "\r"])
    func brokenOff(_ end: String) throws {
        let lines = [##"data: {"a":"##, "", ##"data: {"x":*}"##, "", ##"data: {"pin":*}"##, "", ""]
        let expected = [##"data: {"a":"##, "", ##"data: {"x":"#"}"##, "", ##"data: {"pin":"#"}"##, "", ""]
        let out = try masked(lines.joined(separator: end), type: "text/event-stream")
        #expect(out == expected.joined(separator: end))
    }

    @Test(
        "A name in a string of JSON past a megabyte gets no quotation marks, whatever it looks like from the middle and however deep it stands",
        arguments: 1...2
    )
    func longInside(_ depth: Int) throws {
        let long = String(repeating: "x", count: 1_200_000)
        var text = ##"{"pin":"*","a":"\##(long)","[":1,",*]":2}"##
        for _ in 0..<depth {
            let inner = text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"")
            text = "{\"s\":\"\(inner)\"}"
        }
        var out = try masked(text)
        #expect(!out.contains(Self.secret))
        for _ in 0..<depth {
            let whole = try #require(try value(out) as? [String: String])
            out = try #require(whole["s"])
        }
        let read = try #require(try value(out) as? [String: Any])
        #expect(read[",#]"] != nil)
    }

    @Test("JSON within a string can be read too, however deep it stands")
    func inner() throws {
        var text = ##"{"pin":*,"x":[*,-*]}"##
        for _ in 0..<3 {
            let inner = text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"")
            text = "{\"s\":\"\(inner)\"}"
        }
        var out = try masked(text)
        for _ in 0..<3 {
            let object = try value(out) as? [String: String]
            out = try #require(object?["s"])
        }
        #expect(out == ##"{"pin":"#","x":["#","-#"]}"##)
    }

    @Test(
        "Each JSON text of a body that has several is still JSON",
        arguments: [
            (
                "application/x-ndjson", "{\"pin\":*}\n{\"x\":*}\n[*]\n*\n\"*\"\n",
                "{\"pin\":\"#\"}\n{\"x\":\"#\"}\n[\"#\"]\n\"#\"\n\"#\"\n"
            ),
            (
                "application/json-seq", "\u{1E}{\"pin\":*}\n\u{1E}*\n\u{1E}[*]\n",
                "\u{1E}{\"pin\":\"#\"}\n\u{1E}\"#\"\n\u{1E}[\"#\"]\n"
            ),
            (
                "text/event-stream", "id: 1\ndata: {\"pin\":*,\"x\":*}\n\ndata:[*]\n\ndata: pin is *\n\n",
                "id: 1\ndata: {\"pin\":\"#\",\"x\":\"#\"}\n\ndata:[\"#\"]\n\ndata: pin is #\n\n"
            ),
            (
                "multipart/mixed; boundary=b",
                "--b\r\nA: b; c=\"a\"\r\n\r\n{\"pin\":*,\"x\":[*]}\r\n--b\r\n\r\nx *\r\n--b--\r\n",
                "--b\r\nA: b; c=\"a\"\r\n\r\n{\"pin\":\"#\",\"x\":[\"#\"]}\r\n--b\r\n\r\nx #\r\n--b--\r\n"
            ),
            ("text/html", "<script>a = {\"pin\":*,\"x\":*}", "<script>a = {\"pin\":\"#\",\"x\":\"#\"}"),
            (
                "text/html", "<p a=\"{&quot;x&quot;:*}\" b=\"[*]\">{\"pin\":*}</p>",
                "<p a=\"{&quot;x&quot;:&quot;#&quot;}\" b=\"[#]\">{\"pin\":\"#\"}</p>"
            ),
            (
                "text/csv", "a,b\n1,\"{\"\"pin\"\":*,\"\"x\"\":*}\"\n*,[*]\n",
                "a,b\n1,\"{\"\"pin\"\":\"\"#\"\",\"\"x\"\":\"\"#\"\"}\"\n#,[#]\n"
            ),
            (
                "application/x-www-form-urlencoded", "a=%7B%22x%22%3A*%7D&pin=*&b=*&c=[*]",
                "a=%7B%22x%22%3A%22#%22%7D&pin=#&b=#&c=[#]"
            ),
            ("text/plain", "cut {\"pin\":*,\"x\":[*,", "cut {\"pin\":\"#\",\"x\":[\"#\","),
        ]
    )
    func texts(_ type: String, _ text: String, _ expected: String) throws {
        #expect(try masked(text, type: type) == expected)
    }

    @Test(
        "What is no JSON gets no quotation marks",
        arguments: [
            ("application/x-www-form-urlencoded", "pin=*&x=*&y=a+*"),
            ("text/plain", "pin=*\nx: *\n[*] y, [1, *] and *"),
            ("text/plain", "pin=*; {x: *}, {\"x\": a*}, {\"x\" *}"), ("text/plain", "pin=*\n*\n"),
            ("application/xml", "<a><pin>*</pin><x y=\"*\" z=\"[*]\">*</x></a>"),
            ("text/csv", "pin,x\n*,*\n"),
        ]
    )
    func plain(_ type: String, _ text: String) throws {
        #expect(try masked(text, type: type) == text.replacingOccurrences(of: "*", with: "#"))
    }

    @Test("A number that a pattern asks for becomes a string in JSON")
    func patterns() throws {
        let out = try masked(##"{"x":*,"y":"*"}"##, patterns: [NSRegularExpression(pattern: "4821[0-9]+")])
        #expect(out == ##"{"x":"#","y":"#"}"##)
    }

    @Test("A number that another exchange names is a string in JSON, and a body that is the number too")
    func others() throws {
        let first = SampleExchange(1, responseBody: Array("pin=\(Self.secret)".utf8))
        let redactor = Redactor { $0 + [UInt8](repeating: 7, count: 16) }
        try redactor.learn(first.record, source: first.source)
        for text in ["{\"x\":*}", " *\n", "-*"] {
            let second = SampleExchange(
                2,
                response: "HTTP/1.1 200 OK\nContent-Type: application/problem+json\n\n",
                responseBody: Array(text.replacingOccurrences(of: "*", with: Self.secret).utf8)
            )
            let record = try redactor.redact(second.record, source: second.source)
            let kept = Int(record.exchange.response?.body.kept ?? 0)
            let out = String(
                decoding: try redactor.body(2, .response, 0, kept, source: second.source),
                as: UTF8.self
            )
            #expect(throws: Never.self, "\(out)") { try value(out) }
            #expect(!out.contains(Self.secret) && out.contains("<password:"), "\(out)")
        }
    }
}
