import Foundation
import Testing

@testable import Traffic

@Suite("Values of the exchange in a rule's texts", .timeLimit(.minutes(15)))
struct TemplateTests {
    private static let exchange = RuledExchange(
        "POST",
        "api.shop.test",
        "/v2/a%20b/c?q=x%26y&q=z",
        fields: ["X-Mode: Fast", "Cookie: a=1; sid=42; b=3"],
        body: #"{"sku": "A\"1", "n": 3, "list": [1, true]}"#
    )

    private static func scope() throws -> TemplateScope {
        var scope = try TemplateScope(
            exchange,
            now: 1_795_183_323_456_000,
            needsBody: true,
            generator: RuleDice(seed: 7)
        )
        scope.begin(count: 5)
        return scope
    }

    private static func text(_ template: String) throws -> String {
        var scope = try scope()
        return scope.text(try Template(template))
    }

    @Test(
        "A name stands for its value, and what there is none of for nothing",
        arguments: [
            ("plain $ and $1", "plain $ and $1"), ("$${method} ${method}", "${method} POST"),
            ("${host}${path}", "api.shop.test/v2/a%20b/c"), ("${url}", "https://api.shop.test/v2/a%20b/c?q=x%26y&q=z"),
            ("${path.1} ${path.2} ${path.9}.", "v2 a b ."), ("${query.q}${query.none}", "x&y"),
            ("${reqheader.x-mode}${reqheader.none}", "Fast"), ("${cookie.sid}${cookie.none}", "42"),
            ("${json.$.sku}", "A\"1"), ("${json.$.n} ${json.$.list} ${json.$.none}.", "3 [1, true] ."),
            ("${now}", "2026-11-20T14:02:03.456Z"),
            ("${now+5m} ${now-1d}", "2026-11-20T14:07:03.456Z 2026-11-19T14:02:03.456Z"),
            ("${unix} ${unix+10s}", "1795183323 1795183333"), ("${count}", "5"), ("${random.3-3}", "3"), ("", ""),
        ]
    )
    func values(template: String, expected: String) throws { #expect(try Self.text(template) == expected) }

    @Test("A number of the request's body keeps its digits, and a list its blanks")
    func digits() throws {
        let body = #"{"id": 72057594038268329, "f": 0.0, "o": {"a": 1.10,"b" :1e400}, "s": "a\u00e9"}"#
        let exchange = RuledExchange("POST", "api.shop.test", "/", fields: [], body: body)
        var scope = try TemplateScope(exchange, now: 0, needsBody: true, generator: RuleDice(seed: 7))
        let template = try Template("${json.$.id} ${json.$.f} ${json.$.o} ${json.$.o.b} ${json.$.s}")
        #expect(scope.text(template) == #"72057594038268329 0.0 {"a": 1.10,"b" :1e400} 1e400 aé"#)
    }

    @Test("To look for values in a body does not take a loop's time without end: once is enough for one path")
    func work() throws {
        let body = "{" + String(repeating: "\"\\n\":1,", count: 300_000) + "\"sku\":\"x\"}"
        let exchange = RuledExchange("POST", "api.shop.test", "/", fields: [], body: body)
        var scope = try TemplateScope(exchange, now: 0, needsBody: true, generator: RuleDice(seed: 7))
        let same = try Template(String(repeating: "${json.$.sku}", count: 100))
        #expect(scope.text(same) == String(repeating: "x", count: 100))
        try scope.check()
        let others = try Template((0..<20).map { "${json.$.n\($0)}" }.joined())
        #expect(scope.text(others).isEmpty)
        #expect(throws: RuleFault("to fill in its values takes too much work on this exchange")) { try scope.check() }
        // The next rule may ask for what is known.
        scope.begin(count: 1)
        #expect(scope.text(same).count == 100)
        try scope.check()
    }

    @Test("A value that is encoded where it stands takes the work of that, by where it comes from")
    func coded() throws {
        let value = String(repeating: "x", count: 256)
        let fields = ["Content-Type: application/json", "X-A: \(value)"]
        let exchange = RuledExchange("POST", "a.test", "/", fields: fields, body: "{\"a\": \"\(value)\"}")
        func isWhole(_ text: String, _ place: TemplatePlace, thenBody: Bool = false) throws -> Bool {
            var scope = try TemplateScope(exchange, now: 0, needsBody: true, generator: RuleDice(seed: 1))
            let template = try Template(String(repeating: text, count: 40_000))
            _ = scope.text(template, in: place)
            if thenBody {
                scope.begin(count: 1)
                _ = scope.text(try Template(String(repeating: "${json.$.a}", count: 10_000)), in: place)
            }
            return scope.isWhole
        }
        #expect(try isWhole("${reqheader.x-a}", .text))
        #expect(try !isWhole("${reqheader.x-a}", .coded))
        #expect(try !isWhole("${json.$.a}", .coded))
        #expect(try isWhole("${reqheader.x-a}", .coded, thenBody: true), "What the head took, the body has still")
    }

    @Test("Random values are drawn from what they are said to be")
    func random() throws {
        let uuid = try #require(UUID(uuidString: try Self.text("${uuid}")))
        #expect("\(uuid)".dropFirst(14).first == "4")
        var scope = try Self.scope()
        let dice = try Template("${random.1-6}")
        let thrown = Set((0..<200).map { _ in scope.text(dice) })
        #expect(thrown == ["1", "2", "3", "4", "5", "6"])
    }

    @Test(
        "A name that there is none of is refused when it is read",
        arguments: [
            ("${metod}", "a template has no value 'metod'; did you mean 'method'?"),
            ("${system.exit}", "a template has no value 'system'; it has method"),
            ("${", "this ${ is never closed; for the text ${ itself write $${"), ("${1}", "${1} stands for a group"),
            ("${path.0}", "expected the number of a segment"), ("${random.6-1}", "expected two whole numbers"),
            ("${now+5}", "expected a time such as 30s"), ("${json.sku}", "expected a path such as"),
            ("${reqheader.a b}", "'a b' is no name of a field"), ("${}", "a template has no value ''"),
        ]
    )
    func refusals(template: String, sentence: String) {
        #expect {
            try Template(template)
        } throws: { error in
            (error as? ValueProblem)?.sentence.hasPrefix(sentence) == true
        }
    }

    @Test("Values are escaped as JSON inside JSON")
    func json() throws {
        var scope = try Self.scope()
        let json = JSONTemplate.object([
            .init(name: "id", value: .string(try Template("${json.$.sku}"))),
            .init(name: "big", value: .literal("72057594038268329")),
            .init(name: "list", value: .array([.literal("null"), .literal("1e400")])),
        ])
        #expect(
            String(decoding: json.bytes(&scope), as: UTF8.self)
                == #"{"id":"A\"1","big":72057594038268329,"list":[null,1e400]}"#
        )
        var answer = RuleAnswer()
        answer.content = .text(try Template(#"{"id": "${json.$.sku}"}"#))
        answer.fields = [FieldEdit.Field(name: "Content-Type", value: Template(plain: "application/json"))]
        let rendered = try RenderedAnswer(answer, rule: "a \"b\" é", &scope)
        #expect(rendered.content == .bytes(Array(#"{"id": "A\"1"}"#.utf8)))
        #expect(rendered.fields.last?.value == #"inspect; details="rule a \"b\" ?""#)
    }
}
