import NIOCore
import Support
import Testing

@testable import Traffic

@Suite("Conditions that look into bodies end soon", .timeLimit(.minutes(15)))
struct SearchedBodiesTests {
    /// An exchange whose bodies are kept decoded.
    private struct Searched: FilterSubject {
        let exchange: RuledExchange
        let decoded: DecodedBodies?

        init(_ body: String, type: String = "text/plain", workBytes: Int = 1 << 30) {
            exchange = RuledExchange("POST", fields: ["Content-Type: \(type)"], body: body)
            decoded = DecodedBodies(workBytes: workBytes)
        }

        var summary: ExchangeSummary { exchange.summary }
        func message(_ side: MessageSide) throws -> Message? { exchange.message(side) }
        func body(_ side: MessageSide, offset: Int64, limitBytes: Int) throws -> [UInt8] {
            exchange.body(side, offset: offset, limitBytes: limitBytes)
        }
        func messages(after number: Int64) throws -> [StreamMessage] { [] }
    }

    @Test(
        "A body that is kept decoded is found in as one that is not",
        arguments: [
            "reqbody:straße", "reqbody:STRASSE", "reqbody:/str.{1,2}e/", "reqbody:zzz,ÉTÉ", "reqbody:*été*",
            "reqbody:zzz",
            "-reqbody:été", "été zzz", "été", "json:$.a=b", "json:$.a=c,$.a=b", "json:$.a", "json:$.b", "reqbody:/e$/",
        ]
    )
    func same(text: String) throws {
        let condition = try RuleCondition(text)
        for (body, type) in [
            ("Die Straße im Été", "text/plain"), ("{\"a\": \"b\"}", "application/json"), ("", "text/plain"),
        ] {
            let kept = Searched(body, type: type)
            for _ in 1...2 {
                let decision = try condition.decision(at: .requestBody, for: .request, of: kept)
                #expect(try decision == condition.decision(at: .requestBody, for: .request, of: kept.exchange))
            }
        }
    }

    @Test(
        "An expression that is many steps at each byte, and a text that many ways lead to, take as much work as they are"
    )
    func steps() throws {
        func decision(_ text: String, _ body: String, _ type: String, _ workBytes: Int) throws -> Bool? {
            let subject = Searched(body, type: type, workBytes: workBytes)
            return try RuleCondition(text).decision(at: .requestBody, for: .request, of: subject)
        }
        var dice = RuleDice(seed: 1)
        let signs = String(
            decoding: (0..<100_000).map { _ in dice.next() % 2 == 0 ? 0x61 : 0x63 as UInt8 },
            as: UTF8.self
        )
        #expect(try decision("reqbody:/a.{400}b/", signs, "text/plain", 8 << 20) == nil)
        #expect(try decision("reqbody:/ab/", signs, "text/plain", 8 << 20) == false)
        #expect(try decision("json:$.a=/a.{400}b/", "{\"a\": \"\(signs)\"}", "application/json", 64 << 20) == nil)
        #expect(try decision("json:$.a=/ab/", "{\"a\": \"\(signs)\"}", "application/json", 64 << 20) == false)
        // A text that many ways lead to is looked at once.
        let depth = 100
        let text = String(repeating: "z", count: 9_000)
        func nested(_ inner: String) -> String {
            String(repeating: "{\"a\":", count: depth) + inner + String(repeating: "}", count: depth)
        }
        #expect(try decision("json:$..a..a..b=x", nested("{\"b\":\"\(text)\"}"), "application/json", 16 << 20) == false)
        #expect(
            try decision("json:$..a..a..b=\(text)", nested("{\"b\":\"\(text)\"}"), "application/json", 16 << 20) == true
        )
        func time(_ path: String) throws -> Double {
            let many = Array(repeating: nested("1"), count: 50).joined(separator: "\n")
            return try ThreadTime.least { _ = try decision("json:\(path)=x", many, "application/json", 1 << 30) }
        }
        #expect(try time("$..a..a..a") < 10 * time("$..a"))
        let words = "[" + Array(repeating: "{\"b\":\"\"}", count: 2_000).joined(separator: ",") + "]"
        let wanted = String(repeating: "ж", count: 4_000)
        #expect(try decision("json:$[*].b=\(wanted)", words, "application/json", 16 << 20) == nil)
    }

    @Test("A text of one letter is looked for in a time that grows with the body alone")
    func letters() throws {
        let body = String(repeating: "z", count: 400_000)
        func time(_ count: Int) throws -> Double {
            let condition = try RuleCondition("reqbody:" + String(repeating: "z", count: count) + "j")
            var decision: Bool?
            let time = try ThreadTime.least {
                decision = try condition.decision(at: .requestBody, for: .request, of: Searched(body))
            }
            #expect(decision == false)
            return time
        }
        #expect(try time(5_000) < 20 * time(1))
    }

    @Test("A body is folded once, and not for each text that is looked for")
    func folded() throws {
        let body = String(repeating: "Бог ", count: 100_000)
        let patterns = (0..<200).map { "zq\($0)" }
        func time(_ count: Int) throws -> Double {
            let condition = try RuleCondition("reqbody:" + patterns.prefix(count).joined(separator: ","))
            var decision: Bool?
            let time = try ThreadTime.least {
                decision = try condition.decision(at: .requestBody, for: .request, of: Searched(body))
            }
            #expect(decision == false)
            return time
        }
        #expect(try time(200) < 10 * time(1))
    }

    @Test("Where rules look for too much in a body, none that is left is decided, and the record says why")
    func spent() throws {
        let body = String(repeating: "abcdefghi ", count: 100)
        func decisions(_ texts: [String], _ workBytes: Int, type: String = "text/plain") throws -> [Bool?] {
            let subject = Searched(body, type: type, workBytes: workBytes)
            return try texts.map { try RuleCondition($0).decision(at: .requestBody, for: .request, of: subject) }
        }
        let texts = [
            "reqbody:zzz", "-reqbody:zzz", "reqbody:zzz", "-reqbody:abc", "zzz", "host:a.test reqbody:abc", "post",
        ]
        #expect(try decisions(texts, 2_999) == [false, true, nil, nil, nil, false, nil])
        #expect(try decisions(texts, 6_500) == [false, true, false, false, false, false, nil])
        #expect(try decisions(["reqbody:/zzz/", "reqbody:/zzz/"], 12_000) == [false, nil])
        // No JSON is looked through where there is none.
        #expect(try decisions(["reqbody:zzz", "json:$.a=b", "reqbody:abc"], 5_000) == [false, false, true])

        let rules = try RuleTree.rules(
            "[{\"name\": \"a\", \"when\": \"-reqbody:y,z\", \"block\": \"reset\"}, {\"name\": \"b\", \"tag\": \"slow\"}]"
        )
        let subject = Searched(body, workBytes: 1_999)
        var run = try #require(RuleRun(RuleList(rules, now: 0), for: subject.summary))
        _ = try run.judge(.request, at: .requestBody, of: subject, now: 0)
        #expect(run.final == nil && run.tags == ["slow"])
        #expect(run.uses.first?.note == "skipped: rules look for too much in the body")
    }
}
