import Archive
import NIOCore
import Support
import Testing
import Traffic

@Suite("What is read of archives", .timeLimit(.minutes(15)))
struct ArchiveReaderTests {
    /// Reads a HAR with these entries.
    private func read(
        _ entries: [String],
        valuesLimit: Int = ArchiveReader.valuesLimit,
        entryLimitBytes: Int = ArchiveSplitter.entryLimitBytes(ofBody: 64 << 20),
        textLimitBytes: Int = ArchiveSplitter.textLimitBytes(ofBody: 64 << 20)
    ) throws -> (found: [ImportedExchange], report: ImportReport) {
        var found: [ImportedExchange] = []
        var reader = ArchiveReader(
            digest: { _ in [UInt8](repeating: 1, count: 32) },
            valuesLimit: valuesLimit,
            entryLimitBytes: entryLimitBytes,
            textLimitBytes: textLimitBytes
        )
        let creator = #"{"name":"other","version":"1"}"#
        let text = #"{"log":{"version":"1.2","creator":\#(creator),"entries":[\#(entries.joined(separator: ","))]}}"#
        try reader.write(Array(text.utf8)) { found.append($0) }
        try reader.finish { found.append($0) }
        return (found, reader.report)
    }

    private func entry(_ request: String = "", version: String = "HTTP/1.1", more: String = "") -> String {
        """
        {"startedDateTime":"2026-11-20T14:00:00.000Z","time":1,"cache":{},"timings":{"send":0,"wait":1,"receive":0},
         "request":{"method":"POST","url":"https://a.test/x","httpVersion":"\(version)","cookies":[],"headers":[],
                    "queryString":[],"headersSize":-1,"bodySize":-1\(request)},
         "response":{"status":200,"statusText":"OK","httpVersion":"\(version)","cookies":[],"headers":[],
                     "content":{"size":2,"mimeType":"text/plain","text":"ok"},"redirectURL":"","headersSize":-1,
                     "bodySize":2}\(more)}
        """
    }

    @Test("A head of many combining marks comes back as it was, and what exchanges are counted by can be compared")
    func marks() throws {
        let marks = String(repeating: "\u{301}", count: 100)
        let head = ByteBuffer(string: "GET / HTTP/1.1\r\nX-A: a\(marks)\r\nX-B: \u{E9}\r\n\r\n")
        var sample = SampleExchange()
        (sample.exchange.request.head, sample.exchange.request.sentHead) = (head, head)
        var json = JSONWriter()
        let writer = ExchangeJSON(sample.record, includesBodies: false, remedyWords: nil)
        try writer.write(to: &json, source: sample.source) { _ in }
        var found: [ImportedExchange] = []
        var reader = ArchiveReader(digest: { _ in [UInt8](repeating: 1, count: 32) })
        try reader.write(json.take()) { found.append($0) }
        try reader.finish { found.append($0) }
        #expect(found.first?.exchange.request.head == head && found.first?.exchange.request.sentHead == head)
        let strange = entry().replacing("\"POST\"", with: "\"P\(marks)\"").replacing("a.test", with: "a\(marks).test")
        let exchange = try #require(try read([strange]).found.first?.exchange)
        for text in [exchange.method, exchange.host, exchange.target] { #expect(ByteText.isText(text)) }
    }

    @Test("What rules did comes back from HAR, on one line each; a use that cannot be read is left out")
    func rules() throws {
        var sample = SampleExchange()
        sample.exchange.rules = [
            RuleUse(rule: "staging \"a\"", phase: .requestHead, action: "send", what: "host"),
            RuleUse(rule: "odd", phase: .responseHead, action: "delay", what: "300 ms", note: "two\nlines"),
            RuleUse(rule: String(repeating: "x", count: 200), phase: .connect, action: "block", what: "reset"),
        ]
        sample.exchange.rules[1].microseconds = 300_001
        var file: [UInt8] = []
        var records = [sample.record]
        try HAR.write(
            creatorVersion: "1",
            scope: .ended,
            source: { sample.source($0, $1, $2, $3) },
            next: { records.popLast() },
            to: { file += $0 }
        )
        func uses(_ file: String) throws -> [RuleUse] {
            var found: [ImportedExchange] = []
            var reader = ArchiveReader(digest: { _ in [UInt8](repeating: 1, count: 32) })
            try reader.write(Array(file.utf8)) { found.append($0) }
            try reader.finish { found.append($0) }
            return try #require(found.first).exchange.rules
        }
        let text = String(decoding: file, as: UTF8.self)
        var expected = sample.exchange.rules
        expected[1].note = "two lines"
        expected[2].rule = String(repeating: "x", count: 100)
        #expect(try uses(text) == expected)
        #expect(try uses(text.replacing("\"request-head\"", with: "\"nowhere\"")) == Array(expected.dropFirst()))
        #expect(try uses(text.replacing("\"rule\":\"odd\"", with: "\"rule\":7")).map(\.action) == ["send", "block"])
        for name in ["a,b", " None ", " "] {
            let odd = text.replacing("\"rule\":\"odd\"", with: "\"rule\":\"\(name)\"")
            #expect(try uses(odd).map(\.action) == ["send", "block"], "\(name)")
        }
        #expect(try uses(text.replacing("\"_rules\":[", with: "\"_rules\":7,\"_other\":[")) == [])
    }

    @Test("An entry of very many values is left out and told of, and the others are read")
    func manyValues() throws {
        let bomb = entry(more: ",\"_more\":[" + String(repeating: "0,", count: 500) + "0]")
        let result = try read([entry(), bomb, entry()], valuesLimit: 300)
        #expect(result.found.count == 2 && result.report.broken == nil)
        #expect(result.report.leftOut == ["entry 2 has more values than are read"])
        #expect(try read([bomb]).found.count == 1)
    }

    @Test(
        "An entry with a text that is longer than a body that is kept is left out and told of, and the others are read"
    )
    func longText() throws {
        let long = entry(more: #","comment":"\#(String(repeating: "x", count: 201))""#)
        let result = try read([entry(), long, entry()], textLimitBytes: 200)
        #expect(result.found.count == 2 && result.report.broken == nil)
        #expect(result.report.leftOut == ["entry 2 has a text of 201 bytes, more than is read"])
        #expect(try read([long]).found.count == 1)
        // Of bodies of which all is kept, base64 and all; where little is kept, what an export writes.
        #expect(ArchiveSplitter.textLimitBytes(ofBody: 96 << 20) == 128 << 20 + 4)
        #expect(ArchiveSplitter.textLimitBytes(ofBody: 0) == ArchiveSplitter.textLimitBytes(ofBody: 64 << 20))
        #expect(ArchiveSplitter.textLimitBytes(ofBody: .max) > ArchiveSplitter.entryLimitBytes(ofBody: .max))
    }

    @Test("An entry of texts that are short each and long together is left out and told of, and the others are read")
    func longEntry() throws {
        let texts = (0..<3).map { #","_\#($0)":"\#(String(repeating: "x", count: 200))""# }.joined()
        let (short, long) = (entry(), entry(more: texts))
        let result = try read([short, long, short], entryLimitBytes: short.utf8.count + 500, textLimitBytes: 200)
        #expect(result.found.count == 2 && result.report.broken == nil)
        #expect(result.report.leftOut == ["entry 2 is \(long.utf8.count) bytes long, more than is read"])
        #expect(try read([long]).found.count == 1)
        // Two bodies that are kept whole, and no third.
        let (whole, text) = (
            ArchiveSplitter.entryLimitBytes(ofBody: 64 << 20), ArchiveSplitter.textLimitBytes(ofBody: 64 << 20)
        )
        #expect(whole > 2 * text + 8 << 20 && whole < 2 * text + text / 4)
        #expect(ArchiveSplitter.entryLimitBytes(ofBody: 0) == whole)
        #expect(ArchiveSplitter.entryLimitBytes(ofBody: .max) == 256 << 20)
    }

    @Test("Members beside the messages of a stream do not make each of them cost more")
    func manyMembers() throws {
        func time(_ count: Int) throws -> Double {
            let members = (0..<count).map { ",\"_\($0)\":0" }.joined()
            let messages = [String](repeating: "{}", count: count).joined(separator: ",")
            let text = entry(more: ",\"_webSocketMessages\":[\(messages)]" + members)
            var found: [ImportedExchange] = []
            let time = try ThreadTime.of { found = try read([text]).found }
            #expect(found.first?.messages.count == count)
            return time
        }
        _ = try time(50)
        let (few, many) = (try time(400), try time(3_200))
        // Eight times as much; each message with each member would be sixty-four times.
        #expect(many < few * 28, "\(few) \(many)")
    }

    @Test("Members of a log are held as far as there is room, and what a log needs is made where it is not held")
    func manyLogMembers() throws {
        func mended(_ limit: Int) throws -> (text: String, findings: [String]) {
            var checker = HARChecker(repairs: true, membersLimitBytes: limit)
            var (bytes, findings): ([UInt8], [String]) = ([], [])
            let more = (0..<5).map { #""_m\#($0)":"\#(String(repeating: "x", count: 100))""# }.joined(separator: ",")
            let creator = #"{"name":"c","version":"1"}"#
            let text = #"{"log":{"creator":\#(creator),\#(more),"pages":[],"version":"1.2","entries":[]}}"#
            try checker.write(Array(text.utf8)) { finding, _ in
                findings.append(finding.sentence)
            } write: {
                bytes += $0
            }
            try checker.finish { finding, _ in
                findings.append(finding.sentence)
            } write: {
                bytes += $0
            }
            return (String(decoding: bytes, as: UTF8.self), findings)
        }
        let whole = try mended(HARChecker.membersLimitBytes)
        #expect(whole.findings.isEmpty && whole.text.contains("_m4"))
        let cut = try mended(300)
        #expect(cut.text.contains("_m1") && !cut.text.contains("_m2"))
        let dropped = ["_m2", "_m3", "_m4", "pages", "version"].map { "log.\($0) cannot be read, is dropped" }
        let added = ["version", "pages"].map { "log.\($0) is missing, is added" }
        #expect(cut.findings == dropped + added)
        #expect(cut.text.contains(#""version":"1.2""#) && cut.text.contains(#""pages":[]"#))
    }

    @Test("HTTP/3 is a version, and what was sent with it can be sent again", arguments: ["h3", "HTTP/3", "http/3.0"])
    func http3(version: String) throws {
        let exchange = try #require(try read([entry(version: version)]).found.first?.exchange)
        #expect(exchange.version == .http3 && exchange.upstreamVersion == .http3)
        #expect(exchange.request.head == ByteBuffer(string: "POST /x HTTP/1.1\r\n\r\n"))
        for text in ["version:3", "version:h3", "version:http/3"] {
            #expect(try FilterParser.parse(text, now: 0).decision(on: exchange.summary) == true)
        }
    }

    @Test("What was posted in parts is made of its parts again")
    func multipart() throws {
        let file = #"{"name":"f","fileName":"x.txt","contentType":"text/plain","value":"é"}"#
        let params = #"[{"name":"a\"b","value":"1"},\#(file)]"#
        let posted = #","postData":{"mimeType":"multipart/form-data; boundary=\"==x\"","params":\#(params)}"#
        let imported = try #require(try read([entry(posted)]).found.first)
        let parts = [
            "Content-Disposition: form-data; name=\"a%22b\"\r\n\r\n1",
            "Content-Disposition: form-data; name=\"f\"; filename=\"x.txt\"\r\nContent-Type: text/plain\r\n\r\né",
        ]
        let expected = parts.map { "--==x\r\n\($0)\r\n" }.joined() + "--==x--\r\n"
        #expect(String(buffer: imported.requestBody) == expected)
        let form = #","postData":{"mimeType":"application/x-www-form-urlencoded","params":\#(params)}"#
        let other = try #require(try read([entry(form)]).found.first)
        #expect(String(buffer: other.requestBody) == "a%22b=1&f=%C3%A9")
    }

    @Test("Connections are told apart by names and great numbers too, also after they were written as JSON")
    func connections() throws {
        let names = [
            #""9007199254740993""#, #""9007199254740992""#, #""18446744073709551615""#, #""a""#, #""b""#, #""7""#, "8",
        ]
        let found = try read(names.map { entry(more: ",\"connection\":\($0)") }).found
        let tokens = found.compactMap(\.exchange.upstream?.token)
        #expect(Set(tokens).count == names.count && tokens.suffix(2) == [7, 8])
        #expect(tokens.allSatisfy { UInt64(Double($0)) == $0 && $0 < 1 << 53 })
    }
}
