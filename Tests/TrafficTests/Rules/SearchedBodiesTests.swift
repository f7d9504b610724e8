import NIOCore
import Support
import Testing

@testable import Traffic

@Suite("Conditions that look into bodies and long fields end soon", .timeLimit(.minutes(15)))
struct SearchedBodiesTests {
    /// An exchange whose bodies are kept decoded, and its heads folded.
    private struct Searched: FilterSubject {
        let exchange: RuledExchange
        let decoded: DecodedBodies?
        let heads: SearchedHeads? = SearchedHeads()

        init(_ body: String, type: String = "text/plain", workBytes: Int = 1 << 30) {
            exchange = RuledExchange("POST", fields: ["Content-Type: \(type)"], body: body)
            decoded = DecodedBodies(workBytes: workBytes)
        }

        init(_ fields: [String], _ target: String) {
            (exchange, decoded) = (RuledExchange("GET", "a.test", target, fields: fields), nil)
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
        let word = "{\"b\":\"\(String(repeating: "з", count: 1_000))\"}"
        let words = "[" + Array(repeating: word, count: 300).joined(separator: ",") + "]"
        let wanted = String(repeating: "ж", count: 4_000)
        #expect(try decision("json:$[*].b=\(wanted)", words, "application/json", 64 << 20) == nil)
        #expect(try decision("json:$[*].b=\(wanted)", words, "application/json", 256 << 20) == false)
        // Numbers are looked at as texts are.
        let digits = "[" + (0..<3_000).map { _ in "0.\(dice.next() | 1 << 63)" }.joined(separator: ",") + "]"
        let branches = (1...90).map { ".{19}\($0)a" }.joined(separator: "|")
        #expect(try decision("json:$[*]=/[0-4](\(branches))/", digits, "application/json", 64 << 20) == nil)
        #expect(try decision("json:$[*]=/x/", digits, "application/json", 64 << 20) == false)
        let zeros = "[" + String(repeating: "0,", count: 100_000) + "0]"
        #expect(try decision("json:$[*]=/x/", zeros, "application/json", 16 << 20) == nil)
        for text in ["json:$[*]>1", "json:$[*]<1", "json:$[*]"] {
            #expect(try decision(text, zeros, "application/json", 8 << 20) == nil, "\(text)")
        }
        #expect(try decision("json:$[*]>1", zeros, "application/json", 16 << 20) == false)
        #expect(try decision("json:$[*].x=1", zeros, "application/json", 4 << 20) == nil)
        #expect(try decision("json:$[*].x=1", zeros, "application/json", 8 << 20) == false)
        // So is the end of each.
        func number() -> String { "1" + (0..<13).map { _ in dice.next() % 2 == 0 ? "1" : "9" }.joined() }
        let ends = "[" + (0..<3_000).map { _ in number() }.joined(separator: ",") + "]"
        let late = "json:$[*]=/[0-4].{13}(?:x?){900}z/"
        #expect(try decision(late, ends, "application/json", 64 << 20) == nil)
        #expect(try decision(late, ends, "application/json", 1 << 30) == false)
    }

    @Test("A path takes the work of all its ways, and a text is made ready once for all values of a body")
    func ways() throws {
        func decision(_ text: String, _ body: String, _ workBytes: Int = 1 << 30) throws -> Bool? {
            let subject = Searched(body, type: "application/json", workBytes: workBytes)
            return try RuleCondition(text).decision(at: .requestBody, for: .request, of: subject)
        }
        let zeros = "[" + String(repeating: "0,", count: 50_000) + "0]"
        let deep = String(repeating: "{\"a\":", count: 48) + zeros + String(repeating: "}", count: 48)
        #expect(try decision("json:$..a" + String(repeating: "[*]", count: 48), deep, 16 << 20) == nil)
        #expect(try decision("json:$.a" + String(repeating: "[*]", count: 48), deep, 16 << 20) == true)
        // A path takes nothing for what it does not go to.
        let beside = "{\"op\": \"delete\", \"n\": \(zeros)}"
        #expect(try decision("json:$.op=delete", beside, 1 << 20) == true)
        #expect(try decision("json:$..op=delete", beside, 1 << 20) == nil)
        let many = String(repeating: "{}", count: 20_000)
        #expect(try decision("json:$.a", many, 1 << 20) == nil)
        func spent(_ count: Int) throws -> Double {
            let patterns = (0..<count).map { "$.a=\($0)" }.joined(separator: ",")
            return try ThreadTime.least { _ = try decision("json:\(patterns)", many, 1 << 20) }
        }
        #expect(try spent(1_000) < 20 * spent(1), "Once all is spent nothing is gone through")
        // A text is folded once, and not for each value that it may be.
        let found = String(repeating: "{\"a\":0}", count: 20_000)
        func foldTime(_ count: Int) throws -> Double {
            let wanted = String(repeating: "ж", count: count)
            return try ThreadTime.least { _ = try decision("json:$.a=\(wanted)", found) }
        }
        #expect(try foldTime(4_000) < 10 * foldTime(1))
    }

    @Test("An expression looks at nothing of a body once all is spent, however many there are")
    func spentExpressions() throws {
        var dice = RuleDice(seed: 1)
        let letters = (0..<8_192).map { _ in dice.next() % 2 == 0 ? 0x61 : 0x63 as UInt8 }
        let signs = String(decoding: letters, as: UTF8.self)
        func time(_ count: Int) throws -> Double {
            let text = (0..<count).map { "/a.{400}\($0)b/" }.joined(separator: ",")
            let condition = try RuleCondition("reqbody:\(text)")
            return try ThreadTime.least {
                let subject = Searched(signs, workBytes: 1_000)
                let decision = try condition.decision(at: .requestBody, for: .request, of: subject)
                #expect(decision == nil)
            }
        }
        #expect(try time(300) < 10 * time(1))
    }

    @Test("Ordinary conditions on JSON take no more work than they are, so that those behind them are decided")
    func ordinary() throws {
        let text = String(repeating: "z", count: 1_000_000)
        let numbers = String(repeating: "1,", count: 20_000) + "2"
        let body = "{\"a\": 1, \"m\": \"\(text)\", \"n\": [\(numbers)], \"op\": \"delete\"}"
        for (condition, times) in [
            ("json:$.a.b.c.d=x", 7), ("json:$.m=a", 7), ("json:$.m=/^z/", 7), ("json:$.n[*]>100", 7),
            ("json:$..b=x", 3),
        ] {
            let subject = Searched(body, type: "application/json", workBytes: 40 << 20)
            for _ in 1...times {
                let decision = try RuleCondition(condition).decision(at: .requestBody, for: .request, of: subject)
                #expect(decision == (condition == "json:$.m=/^z/"), "\(condition)")
            }
            let last = try RuleCondition("json:$.op=DELETE").decision(at: .requestBody, for: .request, of: subject)
            #expect(last == true, "\(condition)")
        }
    }

    @Test("The names of fields are compared without case, beyond ASCII too")
    func names() {
        var field = SearchedField(HeaderList.Field(name: "X-\u{212A}ey", value: "a"))
        let isNamed = field.matches(HeaderPattern(name: .named(TextPattern(containing: "x-key")), value: nil))
        #expect(isNamed)
    }

    @Test("A name is compared by its scalars, and a text by what it says")
    func exact() throws {
        let subject = Searched("{\"e\u{301}\": 1, \"a\": \"E\u{301}\", \"b\": \"\u{212A}\"}", type: "application/json")
        for (condition, isMet) in [
            ("json:$.\u{E9}", false), ("json:$.e\u{301}", true), ("json:$..\u{E9}=1", false), ("json:$.a=\u{E9}", true),
            ("json:$.b=k", true), ("json:$.a=eeeeeeeeeee", false),
        ] {
            let decision = try RuleCondition(condition).decision(at: .requestBody, for: .request, of: subject)
            #expect(decision == isMet, "\(condition)")
        }
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

    @Test(
        "So is a field or a target, whichever tests look into it",
        arguments: [
            ("reqheader:x-a=", ",x-a=", true), ("reqheader:x-a=", " or reqheader:x-a=", true), ("zq", " or zq", true),
            ("path:", ",", false), ("zq", " or zq", false), ("url:zq", " or url:zq", false),
        ]
    )
    func foldedField(first: String, next: String, isField: Bool) throws {
        let long = String(repeating: "Бог", count: 30_000)
        func time(_ count: Int) throws -> Double {
            let condition = try RuleCondition(first + (0..<count).map { "zq\($0)" }.joined(separator: next))
            return try ThreadTime.least {
                let subject = Searched(isField ? ["X-A: \(long)"] : [], isField ? "/" : "/\(long)?a%20\(long)")
                let decision = try condition.decision(at: .requestHead, for: .request, of: subject)
                #expect(decision != true)
            }
        }
        #expect(try time(200) < 20 * time(1))
    }

    @Test("So are they for all rules of an exchange")
    func foldedOnce() throws {
        let long = String(repeating: "Бог", count: 30_000)
        func time(_ count: Int) throws -> Double {
            let rules = (0..<count).map {
                "{\"name\": \"\($0)\", \"when\": \"reqheader:x-a=zq\($0) or url:zq\", \"tag\": \"a\"}"
            }
            let list = RuleList(try RuleTree.rules("[\(rules.joined(separator: ","))]"), now: 0)
            return try ThreadTime.least {
                let subject = Searched(["X-A: \(long)"], "/\(long)")
                var run = try #require(RuleRun(list, for: subject.summary))
                _ = try run.judge(.request, at: .requestHead, of: subject, now: 0)
                #expect(run.tags.isEmpty)
            }
        }
        #expect(try time(200) < 20 * time(1))
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
