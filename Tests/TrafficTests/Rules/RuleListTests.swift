import Testing

@testable import Traffic

@Suite("How often a rule applies", .timeLimit(.minutes(15)))
struct RuleListTests {
    private static let place = Rule.Place(path: "r.yaml", line: 1, column: 1)

    private static func rule(_ name: String, _ change: (inout RuleLimits) -> Void = { _ in }) -> Rule {
        var rule = Rule(name: name, place: place, actions: [.block(.reset)])
        change(&rule.limits)
        return rule
    }

    /// Which of so many requests, from 1, a rule blocks.
    private static func blocked(_ list: RuleList, of count: Int, now: Int64 = 0) throws -> [Int] {
        try (1...count).filter { _ in
            let exchange = RuledExchange()
            guard var run = RuleRun(list, for: exchange.summary) else { return false }
            _ = try run.judge(.request, at: .requestHead, of: exchange, now: now)
            return run.block() != nil
        }
    }

    @Test("Times, skips and every nth are counted together, skips first")
    func counted() throws {
        func blocked(_ change: (inout RuleLimits) -> Void) throws -> [Int] {
            try Self.blocked(RuleList([Self.rule("a", change)], now: 0), of: 12)
        }
        #expect(try blocked { $0.times = 2 } == [1, 2])
        #expect(try blocked { $0.skip = 10 } == [11, 12])
        #expect(try blocked { $0.every = 5 } == [5, 10])
        #expect(
            try blocked {
                $0.skip = 1
                $0.every = 3
                $0.times = 2
            } == [4, 7]
        )
    }

    @Test("A chance comes out the same in every run, and about as often as it says")
    func chances() throws {
        func drawn(_ name: String, _ chance: Int64) throws -> [Int] {
            try Self.blocked(RuleList([Self.rule(name) { $0.chance = chance }], now: 0), of: 1_000)
        }
        let first = try drawn("a", 200_000)
        #expect(try drawn("a", 200_000) == first)
        #expect((150...250).contains(first.count))
        #expect(try drawn("b", 200_000) != first)
        #expect(try drawn("a", 1_000_000).count == 1_000)
    }

    @Test("A rule that expires applies no more, and a dry run of it does")
    func expires() throws {
        let list = RuleList([Self.rule("a") { $0.expires = 60_000_000 }], now: 5_000_000)
        #expect(try Self.blocked(list, of: 1, now: 64_999_999) == [1])
        #expect(try Self.blocked(list, of: 1, now: 65_000_000) == [])
        #expect(try Self.blocked(list.fresh, of: 1, now: 65_000_000) == [1])
    }

    @Test("Counters go on over a reload, but not where the rule itself says something else")
    func reloaded() throws {
        let list = RuleList([Self.rule("a") { $0.times = 2 }, Self.rule("b")], now: 0)
        #expect(try Self.blocked(list, of: 1) == [1])
        var moved = Self.rule("a") { $0.times = 2 }
        moved.place.line = 9
        let kept = RuleList([Self.rule("c") { $0.times = 0 }, moved], after: list, now: 0)
        #expect(try Self.blocked(kept, of: 3) == [1])
        #expect(kept.figures(of: "a")?.hits == 2)
        let anew = RuleList([Self.rule("a") { $0.times = 3 }], after: kept, now: 0)
        #expect(try Self.blocked(anew, of: 5) == [1, 2, 3])
    }

    @Test("A rule that is off does nothing, and counts on once it is on again")
    func switched() throws {
        let list = RuleList([Self.rule("a") { $0.times = 3 }], now: 0)
        #expect(try Self.blocked(list, of: 2) == [1, 2])
        let off = list.turning(["a", "nobody"], isOff: true, now: 0)
        #expect(try Self.blocked(off, of: 2) == [])
        #expect(try Self.blocked(off.turning(["a"], isOff: false, now: 0), of: 3) == [1])
    }

    @Test("Answers are given one after another, the last without a count for ever")
    func answers() throws {
        func step(_ status: Int, _ times: Int64?) -> RuleAnswer {
            var answer = RuleAnswer()
            (answer.status, answer.times) = (status, times)
            return answer
        }
        func given(_ steps: [RuleAnswer]) throws -> [Int?] {
            let rule = Rule(name: "a", place: Self.place, actions: [.respond(RuleAnswers(steps))])
            let list = RuleList([rule], now: 0)
            return try (0..<5).map { _ in
                let exchange = RuledExchange("POST")
                var run = try #require(RuleRun(list, for: exchange.summary))
                _ = try run.judge(.request, at: .requestBody, of: exchange, now: 0)
                var scope = try TemplateScope(exchange, now: 0, needsBody: false, generator: RuleDice(seed: 1))
                return try run.answer(&scope)?.status
            }
        }
        #expect(try given([step(503, 2), step(201, nil)]) == [503, 503, 201, 201, 201])
        #expect(try given([step(503, 2), step(201, 1)]) == [503, 503, 201, nil, nil])
    }

    @Test("The index leaves out no rule that applies, and rules of other hosts")
    func index() throws {
        let texts = [
            "host:shop.test", "host:*.shop.test", "host:api.*", "-host:shop.test", "host:a.test,shop.test path:/v2",
            "method:post", "host:shop.test or path:/v2", "path:/v2 method:get", "path:/v\\d+/",
            "(host:a.test or host:b.test)",
        ]
        let rules = try texts.enumerated().map { number, text in
            Rule(name: "\(number)", place: Self.place, condition: try RuleCondition(text), actions: [.block(.reset)])
        }
        let list = RuleList(rules, now: 0)
        for host in ["shop.test", "api.shop.test", "api.a.test", "b.test", ""] {
            for target in ["/v2/users?x=/v9", "/"] {
                let exchange = RuledExchange("GET", host, target)
                let possible = list.candidates(for: exchange.summary)
                let holding = try rules.indices.filter {
                    try rules[$0].condition.decision(at: .requestBody, for: .request, of: exchange) == true
                }
                #expect(Set(possible).isSuperset(of: holding) && possible == possible.sorted())
            }
        }
        #expect(list.candidates(for: RuledExchange("GET", "other.test", "/").summary) == [2, 3, 6])
        let many = try (0..<1_000).map { number in
            let condition = try RuleCondition("host:h\(number).test")
            return Rule(name: "\(number)", place: Self.place, condition: condition, actions: [.block(.reset)])
        }
        #expect(RuleList(many, now: 0).candidates(for: RuledExchange("GET", "a.h7.test").summary) == [7])
    }

    @Test("A tunnel is turned away only where its host alone decides that")
    func tunnels() throws {
        func blocks(_ rules: [Rule]) throws -> Bool {
            let connect = RuledExchange("CONNECT", "a.tracker.test", "a.tracker.test:443")
            return try RuleList(rules, now: 0).blockOfTunnel(connect, now: 0) != nil
        }
        func rule(_ name: String, _ text: String, _ actions: [RuleAction], stops: Bool = false) throws -> Rule {
            var rule = Rule(name: name, place: Self.place, condition: try RuleCondition(text), actions: actions)
            rule.stops = stops
            return rule
        }
        let block = try rule("block", "host:*.tracker.test", [.block(.reset)])
        #expect(try blocks([block]))
        #expect(try blocks([rule("elsewhere", "host:a.test", [.block(.close)]), block]))
        #expect(try !blocks([rule("some", "host:tracker.test path:/a", [.block(.reset)])]))
        #expect(try !blocks([rule("ours", "path:/pixel", [.respond(RuleAnswers([RuleAnswer()]))]), block]))
        #expect(try !blocks([rule("leave", "path:/x", [], stops: true), block]))
        #expect(try blocks([rule("edit", "path:/x", [.send(RuleSend())]), block]))
        func keeps(_ rules: [Rule]) throws -> Bool {
            try RuleList(rules, now: 0).mayKeepFromUpstream(RuledExchange("CONNECT", "a.test", "a.test:443"))
        }
        #expect(try keeps([rule("ours", "path:/pixel", [.respond(RuleAnswers([RuleAnswer()]))])]))
        #expect(try keeps([rule("moved", "host:a.test", [.send(RuleSend())])]))
        #expect(try !keeps([rule("moved", "-host:a.test", [.send(RuleSend())])]))
        #expect(try !keeps([rule("edit", "", [.request(MessageEdit())])]))
    }

    @Test("A verdict on a tunnel waits for the program only where it depends on that")
    func tunnelsOfPrograms() throws {
        func rule(_ name: String, _ text: String, _ action: RuleAction) throws -> Rule {
            Rule(name: name, place: Self.place, condition: try RuleCondition(text), actions: [action])
        }
        func verdict(_ rules: [Rule]) throws -> String {
            let connect = RuledExchange("CONNECT", "a.test", "a.test:443")
            switch try RuleList(rules, now: 0).judgeTunnel(connect, now: 0, lacksProcess: true) {
            case .passes: return "passes"
            case .blocked(_, let use): return use.rule
            case .waits: return "waits"
            }
        }
        let host = try rule("host", "host:a.test", .block(.reset))
        let other = try rule("other", "process:curl host:b.test", .block(.reset))
        let edit = try rule("edit", "process:curl", .request(MessageEdit()))
        let program = try rule("program", "process:curl", .block(.reset))
        let answer = try rule("answer", "process:curl host:a.test", .respond(RuleAnswers([RuleAnswer()])))
        #expect(try verdict([other, edit, host]) == "host" && verdict([host, program]) == "host")
        #expect(try verdict([program, host]) == "waits" && verdict([answer, host]) == "waits")
        #expect(try verdict([answer]) == "passes" && verdict([other, edit]) == "passes")
        let inside = try rule("inside", "path:/a", .respond(RuleAnswers([RuleAnswer()])))
        #expect(try verdict([answer, inside, host]) == "passes")
        let connect = RuledExchange("CONNECT", "a.test", "a.test:443")
        #expect(try RuleList([program], now: 0).mayKeepFromUpstream(connect, lacksProcess: true))
        #expect(try !RuleList([other, edit], now: 0).mayKeepFromUpstream(connect, lacksProcess: true))
    }

    @Test("Rules that never apply, and answers that contradict themselves, are warned of")
    func warnings() throws {
        func respond(_ content: RuleAnswer.Content, type: String) -> RuleAction {
            var answer = RuleAnswer()
            answer.content = content
            answer.fields = [FieldEdit.Field(name: "Content-Type", value: Template(plain: type))]
            return .respond(RuleAnswers([answer]))
        }
        func warnings(_ rules: [Rule]) -> [String] { RuleWarning.all(in: rules).map(\.sentence) }
        let all = Self.rule("all")
        let change = Rule(name: "change", place: Self.place, actions: [.response(MessageEdit())])
        #expect(
            warnings([change, all, change, Self.rule("b")]) == [
                "'b' never applies: 'all' above it answers every request"
            ]
        )
        #expect(warnings([Self.rule("once") { $0.times = 1 }, all]) == [])
        var leave = Rule(name: "leave", place: Self.place)
        leave.stops = true
        #expect(
            warnings([leave, change]) == ["'change' never applies: 'leave' above it ends the list for every request"]
        )
        // What is shadowed by an answer ends nothing.
        var edit = Rule(name: "edit", place: Self.place, actions: [.request(MessageEdit())])
        edit.stops = true
        #expect(warnings([all, edit, change]) == ["'edit' never applies: 'all' above it answers every request"])
        // Nor does a rule that may have no answer.
        var files = RuleAnswer()
        files.content = .directory(RuleAnswer.Directory(path: "/static", missing: .upstream))
        var local = Rule(name: "local", place: Self.place, actions: [.respond(RuleAnswers([files]))])
        local.stops = true
        #expect(warnings([local, change, Self.rule("b")]) == [])
        leave.isOff = true
        #expect(warnings([leave, change]) == [])
        let odd = [
            respond(.json(.literal("1")), type: "text/plain"),
            respond(.text(Template(plain: "{a}")), type: "application/json"),
            respond(.text(Template(plain: "{}")), type: "application/json"),
            respond(.text(Template(plain: "a")), type: "text/html"),
        ]
        #expect(odd.map { warnings([Rule(name: "a", place: Self.place, actions: [$0])]).count } == [1, 1, 0, 0])
    }

    @Test(
        "An expression that matches the empty text too is warned of, unless that is one place",
        arguments: [("^", false), ("$", false), (".*", false), ("a*", true), ("x?", true), ("a", false)]
    )
    func emptyMatches(expression: String, isWarned: Bool) throws {
        let pattern = try ReplacedPattern(expression)
        #expect(pattern.matchesNothing == isWarned)
    }
}
