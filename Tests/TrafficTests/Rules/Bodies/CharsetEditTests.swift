import NIOCore
import Support
import Testing

@testable import Traffic

/// Texts in other charsets are edited in them, and all bytes outside of what is replaced stay.
@Suite("Editing a text in its charset", .timeLimit(.minutes(15)))
struct CharsetEditTests {
    private static func edited(_ edit: String, _ bytes: [UInt8], _ charset: String) throws -> [UInt8]? {
        var (body, steps) = try ready(edit, bytes, charset)
        var (changes, work) = (BodyChanges(), EditWork())
        try body.apply(steps, &changes, &work)
        return body.bytes
    }

    /// A body, and the changes that are to be made.
    private static func ready(
        _ edit: String,
        _ bytes: [UInt8],
        _ charset: String
    ) throws -> (body: WholeBody, steps: [BodyStep]) {
        guard case .response(let message)? = try RuleTree.body(edit).first?.actions.first else {
            throw RuleFault("the rule edits no body")
        }
        var scope = try TemplateScope(RuledExchange(), now: 0, needsBody: false, generator: RuleDice(seed: 1))
        let exchange = RuledExchange(code: 200, responseFields: ["Content-Type: text/plain; charset=\(charset)"])
        let head = try #require(exchange.message(.response)?.head)
        let body = WholeBody(bytes, BodyKind(head: head, .response, of: exchange.summary))
        return (body, message.body.steps(&scope, in: .text))
    }

    @Test(
        "Every charset is written as it is read, by a text, a literal and an expression",
        arguments: [
            ("utf-8", "é日"), ("iso-8859-1", "éß"), ("windows-1251", "Жя"), ("utf-16le", "é日😀"), ("utf-16be", "é日"),
            ("shift_jis", "日本ソ"), ("euc-jp", "日本ソ"), ("euc-kr", "한국"), ("big5", "中文"), ("gb18030", "中文功"),
        ]
    )
    func charsets(label: String, word: String) throws {
        let charset = try #require(Charset(label: label))
        func bytes(_ text: String) throws -> [UInt8] { try #require(charset.bytes(of: text)) }
        #expect(charset.text(try bytes("a\(word)z")) == "a\(word)z")
        let before = try bytes("a \(word) b \(word)\\")
        let after = try bytes("a <\(word)> b <\(word)>\\")
        let literal = "{\"replace\": {\"find\": \"\(word)\", \"with\": \"<\(word)>\"}}"
        #expect(try Self.edited(literal, before, label) == after)
        let regex = "{\"replace\": {\"regex\": \"(\(word))\", \"with\": \"<${1}>\"}}"
        #expect(try Self.edited(regex, before, label) == after)
        #expect(try Self.edited("{\"append\": \"\(word)\"}", before, label) == before + bytes(word))
    }

    @Test("What is put in the place of each match is turned into the charset once", arguments: ["find", "regex"])
    func once(word: String) throws {
        let with = String(repeating: "日", count: 8_000)
        let edit = "{\"replace\": {\"\(word)\": \"e\", \"with\": \"\(with)\"}}"
        func time(_ count: Int) throws -> Double {
            let bytes = [UInt8](repeating: UInt8(ascii: "e"), count: count)
            let (body, steps) = try Self.ready(edit, bytes, "shift_jis")
            return try ThreadTime.least {
                var (body, changes, work) = (body, BodyChanges(), EditWork(EditWork.bodyLimitBytes))
                try body.apply(steps, &changes, &work)
                #expect(body.bytes.count == count * 16_000)
            }
        }
        #expect(try time(500) < time(1) * 150)
    }

    @Test("Texts that are found take work, and so do characters that are looked up; where nobody waits, they end")
    func work() throws {
        let edit = #"{"replace": [{"find": "e", "with": "E"}, {"find": "f", "with": "F"}]}"#
        let text = [UInt8](repeating: UInt8(ascii: "e"), count: 20_000)
        // Characters of four bytes, all of them different.
        var others: [UInt8] = []
        for number in 0..<10_000 {
            others += [0x90, 0x30 + UInt8(number / 1_260)]
            others += [0x81 + UInt8(number / 10 % 126), 0x30 + UInt8(number % 10)]
        }
        for (bytes, charset, enough) in [(text, "shift_jis", 1 << 20), (others, "gb18030", 8 << 20)] {
            func edited(_ work: EditWork) throws {
                var (body, steps) = try Self.ready(edit, bytes, charset)
                var (changes, work) = (BodyChanges(), work)
                try body.apply(steps, &changes, &work)
            }
            try edited(EditWork(enough))
            #expect(throws: JSONDocument.tooMuch) { try edited(EditWork(enough >> 4)) }
            var asked = 0
            func isWanted() -> Bool {
                asked += 1
                return asked < 5
            }
            #expect(throws: JSONDocument.tooMuch) { try edited(EditWork(enough, isWanted: isWanted)) }
            #expect(asked == 5)
        }
    }

    @Test("The second byte of a character is not taken for another, as a backslash in Shift_JIS may be")
    func trailing() throws {
        let bytes: [UInt8] = [0x83, 0x5C, 0x5C, 0x41]
        #expect(
            try Self.edited(#"{"replace": {"find": "\\", "with": "/"}}"#, bytes, "shift_jis") == [
                0x83, 0x5C, 0x2F, 0x41,
            ]
        )
    }

    @Test("Bytes that are no character stay where something else is replaced")
    func invalid() throws {
        let bytes: [UInt8] = [0x81, 0x20, 0x61, 0xFF, 0x62]
        #expect(
            try Self.edited(#"{"replace": {"regex": "a", "with": "A"}}"#, bytes, "shift_jis") == [
                0x81, 0x20, 0x41, 0xFF, 0x62,
            ]
        )
        #expect(
            try Self.edited(#"{"replace": {"regex": "a", "with": "A"}}"#, bytes, "utf-8") == [
                0x81, 0x20, 0x41, 0xFF, 0x62,
            ]
        )
    }

    @Test("A text of UTF-16 keeps its mark and its order")
    func mark() throws {
        let bytes: [UInt8] = [0xFE, 0xFF, 0x00, 0x61]
        #expect(try Self.edited(#"{"prepend": "b"}"#, bytes, "utf-16") == [0xFE, 0xFF, 0x00, 0x62, 0x00, 0x61])
        #expect(
            try Self.edited(#"{"replace": {"find": "a", "with": "b"}}"#, bytes, "utf-16") == [0xFE, 0xFF, 0x00, 0x62]
        )
    }

    @Test("What is said of a text that a charset lacks is short, however long one of its characters is")
    func shown() throws {
        let text = "ж" + String(repeating: "\u{301}", count: 200_000)
        for charset in [Charset.windows1252, nil] {
            let fault = #expect(throws: RuleFault.self) { try BodyStep.bytes(of: text, in: charset) }
            #expect(try #require(fault).sentence.utf8.count < 1_000)
        }
        var changes = BodyChanges()
        changes.add("form \(text) removed")
        #expect(changes.text.utf8.count < 1_000)
    }

    @Test("Members of JSON are found by their names in the charset, and nothing else of theirs changes")
    func names() throws {
        let edit = #"{"json": {"set": {"$.größe": "é"}, "remove": ["$.maß"]}}"#
        for label in ["iso-8859-1", "windows-1250", "iso-8859-15", "utf-8"] {
            let charset = try #require(Charset(label: label))
            let before = try #require(charset.bytes(of: #"{"größe":1,"maß":2,"äöü":"ß","ü":0}"#))
            let value = charset == .utf8 ? "é" : #"\u00e9"#
            let after = try #require(charset.bytes(of: "{\"größe\":\"\(value)\",\"äöü\":\"ß\",\"ü\":0}"))
            #expect(try Self.edited(edit, before, label) == after)
        }
        // The bytes of a name in UTF-8 are another name in another charset.
        let other: [UInt8] = Array(#"{"größe":1}"#.utf8)
        #expect(try Self.edited(#"{"json": {"remove": ["$.größe"]}}"#, other, "iso-8859-1") == other)
        let test = #"{"json": {"patch": [{"op": "test", "path": "/a", "value": "ß"}, {"op": "remove", "path": "/a"}]}}"#
        let tested = Array(#"{"a":""#.utf8) + [0xDF] + Array(#""}"#.utf8)
        #expect(try Self.edited(test, tested, "latin1") == Array("{}".utf8))
    }

    /// A response under a rule: what is left of its head and body.
    private static func sent(_ rule: String, _ body: [UInt8], _ fields: [String], _ request: [String] = []) throws
        -> (head: String, body: [UInt8])
    {
        var exchange = RuledExchange(
            fields: request,
            code: 200,
            responseFields: fields + ["Content-Length: \(body.count)"]
        )
        exchange.bodies[.response] = body
        exchange.exchange.response?.body = Body(length: Int64(body.count), kept: Int64(body.count), sha256: [])
        let rules = try RuleTree.rules("[{\"name\": \"a\", \"response\": \(rule)}]")
        let touch = try #require(try RuleTrial(RuleList(rules, now: 0)).touch(exchange))
        return (touch.response.map { String(buffer: $0.head) } ?? "", touch.bodies[.response]?.after ?? [])
    }

    @Test("A new content has the type and the charset of the head that goes out with it")
    func newType() throws {
        let rule = #"{"fields": {"set": {"Content-Type": "text/html; charset=utf-8"}}, "body": {"text": "größe €λ"}}"#
        let page = try Self.sent(rule, [0x61], ["Content-Type: text/html; charset=iso-8859-1"])
        #expect(page.body == Array("größe €λ".utf8))
        let stub =
            #"{"fields": {"set": {"Content-Type": "application/json"}}, "body": {"text": "{\"ua\": \"${reqheader.X-V}\"}"}}"#
        let json = try Self.sent(stub, [0x61], ["Content-Type: text/html"], ["X-V: a\"b"])
        #expect(json.body == Array(#"{"ua": "a\"b"}"#.utf8))
    }

    @Test("An edited body is coded as the head says that goes out, whether it passes or is edited whole")
    func newCodings() throws {
        let coded = try Coded.zlib("gzip", Array("hello world".utf8))
        for (edit, wanted) in [
            (#"{"replace": {"find": "world", "with": "mars"}}"#, "hello mars"), (#"{"text": "new"}"#, "new"),
            (#"{"replace": {"regex": "w(o)rld", "with": "${1}"}}"#, "hello o"),
            (#"{"replace": {"regex": "nothing", "with": ""}}"#, "hello world"),
        ] {
            let plain = #"{"fields": {"remove": ["Content-Encoding"]}, "body": \#(edit)}"#
            let sent = try Self.sent(plain, coded, ["Content-Type: text/plain", "Content-Encoding: gzip"])
            #expect(String(decoding: sent.body, as: UTF8.self) == wanted && !sent.head.contains("Content-Encoding"))
            let other = #"{"fields": {"set": {"Content-Encoding": "gzip"}}, "body": \#(edit)}"#
            let zipped = try Self.sent(other, Array("hello world".utf8), ["Content-Type: text/plain"])
            #expect(ContentCoding.decode(zipped.body, names: ["gzip"], limitBytes: 1 << 20).bytes == Array(wanted.utf8))
        }
    }
}
