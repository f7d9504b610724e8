import NIOCore
import Testing

@testable import Traffic

@Suite("What a client sends makes no text of a rule grow without bound", .timeLimit(.minutes(15)))
struct RuleBoundsTests {
    /// What a dry run makes of a request: the notes of the rule, and the request that is sent.
    private static func tried(
        _ action: RuleAction,
        _ exchange: RuledExchange
    ) throws -> (notes: [String?], touch: RuleTrial.Touch) {
        let place = Rule.Place(path: "r.yaml", line: 1, column: 1)
        var other = MessageEdit()
        other.fields.set = [FieldEdit.Field(name: "X-Other", value: Template(plain: "1"))]
        let rules = [
            Rule(name: "a", place: place, actions: [action]),
            Rule(name: "b", place: place, actions: [.request(other)]),
        ]
        let touch = try #require(try RuleTrial(RuleList(rules, now: 0)).touch(exchange))
        return (touch.uses.filter { $0.rule == "a" }.map(\.note), touch)
    }

    private static func request(_ change: (inout MessageEdit) throws -> Void) rethrows -> RuleAction {
        var edit = MessageEdit()
        try change(&edit)
        return .request(edit)
    }

    /// The other rule is done, and nothing of the first.
    private static func isOtherAlone(_ touch: RuleTrial.Touch) -> Bool {
        touch.request.map { String(buffer: $0.head) }?.hasSuffix("\r\nX-Other: 1\r\n\r\n") == true
            && touch.uses.last?.what == "X-Other added"
    }

    @Test("A value that stands in many places of an answer's text", arguments: [16, 17])
    func answers(count: Int) throws {
        var answer = RuleAnswer()
        answer.content = .text(try Template(String(repeating: "${json.$.a}", count: count)))
        let body = "{\"a\": \"\(String(repeating: "a", count: 1 << 20))\"}"
        let exchange = RuledExchange("POST", fields: ["Content-Type: application/json"], body: body)
        let (notes, touch) = try Self.tried(.respond(RuleAnswers([answer])), exchange)
        let isGiven = count == 16
        #expect(touch.answer?.length == (isGiven ? 16 << 20 : nil))
        #expect(
            notes == (isGiven ? [nil] : ["failed: its texts would be over 16 MiB with the values of the exchange"])
        )
    }

    @Test("A long text in the place of each of many short ones")
    func replaced() throws {
        func action(_ find: String, isFirstOnly: Bool = false) throws -> RuleAction {
            try Self.request { edit in
                let with = try Template("${reqheader.X-B}")
                edit.fields.replace = [
                    FieldEdit.Replacement(
                        name: NameGlob("X-A", ignoresCase: true),
                        text: TextReplacement(pattern: .text(find), with: with, isFirstOnly: isFirstOnly)
                    )
                ]
            }
        }
        let fields = [("X-A", "a"), ("X-B", "b")].map { "\($0): \(String(repeating: $1, count: 30_000))" }
        let exchange = RuledExchange(fields: fields)
        let (notes, touch) = try Self.tried(try action("a"), exchange)
        #expect(notes == ["skipped: the value would grow by over 1 MiB"] && Self.isOtherAlone(touch))
        #expect(try Self.tried(try action("a", isFirstOnly: true), exchange).notes == [nil])
    }

    @Test("A long field under many names, and very many fields")
    func heads() throws {
        func action(_ count: Int, _ value: String) throws -> RuleAction {
            try Self.request { edit in
                edit.fields.add = try (0..<count).map {
                    FieldEdit.Field(name: "X-\($0)", value: try Template(value))
                }
            }
        }
        let exchange = RuledExchange(fields: ["X-B: \(String(repeating: "b", count: 30_000))"])
        let (notes, touch) = try Self.tried(try action(40, "${reqheader.X-B}"), exchange)
        #expect(notes == ["skipped: the head would be over 1 MiB"] && Self.isOtherAlone(touch))
        #expect(try Self.tried(try action(30, "${reqheader.X-B}"), exchange).notes == [nil])
        let many = try Self.tried(try action(1_000, "1"), exchange)
        #expect(many.notes == ["skipped: the head would have over 1000 fields"] && Self.isOtherAlone(many.touch))
        #expect(try Self.tried(try action(900, "1"), exchange).notes == [nil])
    }

    @Test("Patterns of names match in time that does not explode")
    func globs() {
        let glob = NameGlob(String(repeating: "a*", count: 40) + "b", ignoresCase: true)
        #expect(!glob.matches(String(repeating: "a", count: 20_000)))
        #expect(glob.matches(String(repeating: "a", count: 20_000) + "b"))
    }
}
