import NIOCore
import Testing

@testable import Traffic

/// A dry run of rules that change how a body is coded and edit it; live, `KeptCodingsTests` has the same.
@Suite("What a dry run says of codings", .timeLimit(.minutes(15)))
struct TriedCodingsTests {
    private static let text = String(repeating: "some words of an admin\n", count: 200)
    private static let removed = #""remove": ["Content-Encoding"]"#
    private static let unknown = #""set": {"Content-Encoding": "unheard-of"}"#

    private static func rules(_ fields: String, _ replace: String, when: String = "path:/") throws -> [Rule] {
        try RuleTree.rules(
            """
            [{"name": "a", "when": "\(when)", "response": {"fields": {\(fields)},
              "body": {"replace": {\(replace), "with": "guest"}}}}]
            """
        )
    }

    private static func exchange(_ body: [UInt8], _ coding: String = "gzip", code: Int = 200) -> RuledExchange {
        var exchange = RuledExchange(
            code: code,
            responseFields: [
                "content-encoding:  \(coding)", "X-After: 1", "Content-Type: text/plain",
                "Content-Length: \(body.count)",
            ]
        )
        exchange.bodies[.response] = body
        exchange.exchange.response?.body = Body(length: Int64(body.count), kept: Int64(body.count), sha256: [])
        return exchange
    }

    private static func coded() throws -> [UInt8] {
        try #require(ContentEncoder.encode(Array(text.utf8), names: ["gzip"]))
    }

    /// Why an edit is skipped.
    struct Case {
        var fields = TriedCodingsTests.removed
        var replace = #""regex": "adm.n""#
        var code = 200
        var coding = "gzip"
        var limit = 1 << 20
    }

    private static let cases = [
        Case(limit: 10), Case(fields: unknown), Case(fields: unknown, replace: #""find": "admin""#),
        Case(replace: #""find": "admin""#, code: 206), Case(coding: "x-unheard-of"),
    ]

    @Test("A body whose edit is skipped is said to go on as it came, and nothing is changed", arguments: cases)
    func skipped(_ skipped: Case) throws {
        let exchange = Self.exchange(try Self.coded(), skipped.coding, code: skipped.code)
        let list = RuleList(try Self.rules(skipped.fields, skipped.replace), now: 0)
        let touch = try #require(try RuleTrial(list, bodyLimitBytes: skipped.limit).touch(exchange))
        #expect(touch.response == nil && touch.bodies.isEmpty)
        #expect(touch.uses.map(\.what) == [""] && !touch.uses.isModified)
        #expect(touch.uses.first?.note?.hasPrefix("skipped: ") == true, "\(touch.uses)")
    }

    @Test("The fields that were put back stand where they stood, in their bytes, and other changes stay")
    func place() throws {
        let start = "HTTP/1.1 200 Fine\r\ncontent-encoding:gzip\r\n"
        let head = start + "X-Mid: 1\r\nCONTENT-ENCODING: br \r\nX-Last: 2\r\n\r\n"
        for (fields, expected, what) in [
            (Self.removed, head, ""), (#""set": {"Content-Encoding": "identity"}"#, head, ""),
            (
                #""set": {"x-mid": "3", "X-New": "4"}, "remove": ["Content-Encoding", "X-Last"]"#,
                start + "X-Mid: 3\r\nCONTENT-ENCODING: br \r\nX-New: 4\r\n\r\n",
                "X-Last removed, x-mid, X-New added"
            ),
        ] {
            var exchange = Self.exchange([1, 2, 3])
            exchange.exchange.response?.head = ByteBuffer(string: head)
            let rules = try Self.rules(fields, #""regex": "adm.n""#)
            let touch = try #require(try RuleTrial(RuleList(rules, now: 0)).touch(exchange))
            #expect(touch.response.map { String(buffer: $0.head) } ?? head == expected)
            #expect(touch.uses.map(\.what) == [what])
        }
    }

    @Test("A rule that changed the coding alone is said to be skipped with the edit of another")
    func others() throws {
        let rules = try RuleTree.rules(
            """
            [{"name": "coding", "response": {"fields": {\(Self.removed)}}},
             {"name": "edit", "response": {"body": {"replace": {"regex": "adm.n", "with": "guest"}}}}]
            """
        )
        let exchange = Self.exchange(try Self.coded())
        let touch = try #require(try RuleTrial(RuleList(rules, now: 0), bodyLimitBytes: 10).touch(exchange))
        #expect(touch.uses.map(\.rule) == ["coding", "edit"] && !touch.uses.isModified)
        #expect(touch.uses.first?.note == "skipped: the body goes on as it came, and so does Content-Encoding")
        // Where the body is edited, both are told.
        let edited = try #require(try RuleTrial(RuleList(rules, now: 0)).touch(exchange))
        #expect(edited.uses.map(\.what) == ["content-encoding removed", "adm.n ×200"])
        #expect(edited.bodies[.response]?.after.count == Self.text.utf8.count)
    }

    @Test("A damaged body that loses its coding breaks off where it passes, and goes on as it came where it was kept")
    func damaged() throws {
        let exchange = Self.exchange(try Self.coded().dropLast(20))
        func touch(_ when: String) throws -> RuleTrial.Touch {
            let list = RuleList(try Self.rules(Self.removed, #""find": "admin""#, when: when), now: 0)
            return try #require(try RuleTrial(list).touch(exchange))
        }
        let passed = try touch("path:/")
        #expect(passed.uses.first?.note?.hasSuffix("the gzip coding ends early; the response breaks off there") == true)
        #expect(passed.response.map { String(buffer: $0.head) }?.contains("Transfer-Encoding: chunked") == true)
        let kept = try touch("resbody:words")
        #expect(kept.response == nil && kept.bodies.isEmpty && !kept.uses.isModified)
        #expect(kept.uses.first?.note == "skipped: the gzip coding ends early")
    }

    @Test("So does one of which nothing can be decoded")
    func undecoded() throws {
        let list = RuleList(try Self.rules(Self.removed, #""find": "admin""#), now: 0)
        let touch = try #require(try RuleTrial(list).touch(Self.exchange(Array(try Self.coded().prefix(11)))))
        let note = touch.uses.first?.note
        #expect(note?.hasSuffix("nothing of the body can be decoded; the response breaks off there") == true)
    }

    @Test(
        "A kept body that goes on as it came is not said to have changed: one that is not coded, and one that is empty"
    )
    func same() throws {
        for body in [Array(Self.text.utf8), []] {
            let when = body.isEmpty ? "-resbody:words" : "resbody:words"
            let list = RuleList(try Self.rules(Self.removed, #""find": "admin""#, when: when), now: 0)
            let touch = try #require(try RuleTrial(list).touch(Self.exchange(body)))
            #expect(touch.response == nil && touch.bodies.isEmpty && !touch.uses.isModified, "\(touch.uses)")
        }
    }

    @Test("A body that a rule looks into has its length, since it is whole before any of it goes on")
    func kept() throws {
        let list = RuleList(try Self.rules(Self.removed, #""find": "admin""#, when: "resbody:words"), now: 0)
        let touch = try #require(try RuleTrial(list).touch(Self.exchange(try Self.coded())))
        let length = Self.text.utf8.count
        #expect(touch.bodies[.response]?.length == Int64(length))
        #expect(touch.response.map { String(buffer: $0.head) }?.contains("Content-Length: \(length)\r\n") == true)
    }

    @Test("Faults of a dry run lie in the whole of an edited body, and its head says its whole length")
    func lengths() throws {
        func touch(_ edit: String, _ count: Int) throws -> RuleTrial.Touch {
            let rules = try RuleTree.rules(
                """
                [{"name": "edit", "response": {"body": {\(edit)}}, "fault": {"cut": 1500}},
                 {"name": "tail", "fault": {"corrupt": 1400}}, {"name": "far", "fault": {"corrupt": 4000}}]
                """
            )
            let exchange = Self.exchange(Array(repeating: 0x79, count: count), "identity")
            return try #require(try RuleTrial(RuleList(rules, now: 0), bodyLimitBytes: 1_000).touch(exchange))
        }
        let long = "\"text\": \"\(String(repeating: "z", count: 2_001))\""
        for (edit, count) in [(#""append": "z""#, 2_000), (long, 900)] {
            let touch = try touch(edit, count)
            let skipped = touch.uses.filter { $0.action == "fault" && $0.note != nil }.map(\.rule)
            #expect(skipped == ["far"], "\(touch.uses)")
            let body = try #require(touch.bodies[.response])
            #expect(body.length == 2_001 && body.after.count == 1_000)
            let head = touch.response.map { String(buffer: $0.head) }
            #expect(head?.contains(count == 900 ? "Content-Length: 2001\r\n" : "Transfer-Encoding: chunked") == true)
        }
    }
}
