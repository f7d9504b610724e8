import NIOCore
import Testing

@testable import Traffic

/// What the rules that apply to an exchange do to its time, and what the record and a dry run say of it.
@Suite("Rules that take time", .timeLimit(.minutes(15)))
struct RulePacingTests {
    private static func rule(_ name: String, _ actions: RuleAction..., changing change: (inout Rule) -> Void = { _ in })
        -> Rule
    {
        var rule = Rule(name: name, place: Rule.Place(path: "r.yaml", line: 1, column: 1), actions: actions)
        change(&rule)
        return rule
    }

    private static func throttle(_ down: Int64?, _ up: Int64? = nil, rtt: Int64 = 0) -> RuleAction {
        var throttle = RuleThrottle()
        throttle.down = down.map(ByteRate.init(kilobits:))
        throttle.up = up.map(ByteRate.init(kilobits:))
        throttle.roundTrip = rtt
        return .throttle(throttle)
    }

    private static func delay(_ side: MessageSide, _ range: ClosedRange<Int64>) -> RuleAction {
        .delay(RuleDelay(side, range))
    }

    /// What rules do on a side of one exchange after another.
    private static func paced(_ list: RuleList, _ side: MessageSide = .request) throws -> (RulePacing, [RuleUse]) {
        let exchange = RuledExchange("GET", "api.shop.test", "/", code: 200)
        var run = try #require(RuleRun(list, for: exchange.summary))
        guard case .applies(let firings) = try run.judge(side, at: .body(of: side), of: exchange, now: 0) else {
            return (RulePacing(), [])
        }
        let pacing = run.pace(side, by: firings, RulePacing.Sharer(host: "api.shop.test", connection: "1"))
        return (pacing, run.uses)
    }

    @Test("Delays of several rules add, each on its side")
    func delays() throws {
        let list = RuleList(
            [
                Self.rule("one", Self.delay(.request, 1_000...1_000), Self.delay(.response, 5_000...5_000)),
                Self.rule("two", Self.delay(.request, 2_000...2_000)),
            ],
            now: 0
        )
        #expect(try Self.paced(list).0.delay == 3_000)
        let (pacing, uses) = try Self.paced(list, .response)
        #expect(pacing.delay == 5_000 && uses.map(\.what) == ["5 ms"])
    }

    @Test("A delay by chance lies in its range, and is the same for the nth exchange of every run")
    func chance() throws {
        func run() throws -> [Int64] {
            let list = RuleList([Self.rule("slow", Self.delay(.request, 1_000...3_000_000))], now: 0)
            return try (0..<50).map { _ in try Self.paced(list).0.delay }
        }
        let first = try run()
        #expect(try run() == first && Set(first).count > 40)
        #expect(first.allSatisfy { (1_000...3_000_000).contains($0) })
    }

    @Test("Of several throttles the narrowest line of each direction holds, and the longest time; the record tells")
    func narrowest() throws {
        let list = RuleList(
            [
                Self.rule("wide", Self.throttle(8_000, 8_000, rtt: 500)),
                Self.rule("down", Self.throttle(100, 9_000)), Self.rule("up", Self.throttle(nil, 50, rtt: 900)),
            ],
            now: 0
        )
        let (pacing, uses) = try Self.paced(list)
        #expect(pacing.down?.rate == ByteRate(kilobits: 100) && pacing.up?.rate == ByteRate(kilobits: 50))
        #expect(pacing.roundTrip == 900)
        #expect(uses.map(\.note) == ["down is narrower", nil, nil])
        #expect(!uses.isModified && uses.rules == ["wide", "down", "up"])
        let (again, _) = try Self.paced(list)
        #expect(again.down === pacing.down, "All exchanges of a rule share its line")
    }

    @Test("A line is shared by what the throttle says", arguments: RuleThrottle.Scope.allCases)
    func scope(scope: RuleThrottle.Scope) throws {
        var throttle = RuleThrottle()
        (throttle.down, throttle.scope) = (ByteRate(kilobits: 100), scope)
        let list = RuleList([Self.rule("line", .throttle(throttle))], now: 0)
        func line(_ host: String, _ connection: String) throws -> RateLine? {
            let exchange = RuledExchange("GET", host, "/", code: 200)
            var run = try #require(RuleRun(list, for: exchange.summary))
            guard case .applies(let firings) = try run.judge(.request, at: .requestHead, of: exchange, now: 0) else {
                return nil
            }
            let sharer = RulePacing.Sharer(host: host, connection: connection)
            return run.pace(.request, by: firings, sharer).down
        }
        let first = try line("a.test", "1")
        let shares = [try line("a.test", "1"), try line("a.test", "2"), try line("b.test", "1")].map { $0 === first }
        switch scope {
        case .rule: #expect(shares == [true, true, true])
        case .host: #expect(shares == [true, true, false])
        case .connection: #expect(shares == [true, false, true])
        case .exchange: #expect(shares == [false, false, false])
        }
    }

    @Test("Half a round trip varies by half the jitter")
    func jitter() {
        var pacing = RulePacing()
        (pacing.roundTrip, pacing.jitter) = (100_000, 20_000)
        let drawn = (0..<200).map { _ in pacing.drawLatency() }
        #expect(drawn.allSatisfy { (40_000...60_000).contains($0) } && Set(drawn).count > 100)
    }

    @Test("A fault with limits of its own happens so often, while its rule applies each time")
    func faults() throws {
        var fault = ResponseFault(.cut(at: 20_000))
        fault.limits.every = 10
        let list = RuleList([Self.rule("wifi", Self.throttle(1_000), .fault(fault))], now: 0)
        let happened = try (1...30).filter { _ in
            !(try Self.paced(list, .response).0.faults.parts.isEmpty)
        }
        #expect(happened == [10, 20, 30])
        #expect(list.figures(of: "wifi")?.hits == 30)
    }

    @Test("A rule that answers shadows edits, and neither delays nor throttles; a shadowed answer takes no time either")
    func stubs() throws {
        var answer = RuleAnswer()
        answer.status = 503
        var edit = MessageEdit()
        edit.method = "PUT"
        let rules = [
            Self.rule("slow", Self.throttle(100)), Self.rule("edit", .request(edit)),
            Self.rule("stub", .respond(RuleAnswers([answer])), Self.delay(.request, 1_000...1_000)),
            Self.rule("late", Self.delay(.request, 2_000...2_000)),
            Self.rule("other", .block(.reset), Self.delay(.request, 4_000...4_000)),
        ]
        let (pacing, uses) = try Self.paced(RuleList(rules, now: 0))
        #expect(pacing.delay == 3_000 && pacing.down != nil)
        #expect(uses.filter { $0.note != nil }.map(\.rule) == ["edit", "other", "other"])
    }

    @Test("A dry run tells what would happen: in words, and without a change of the exchange")
    func trial() throws {
        let rules = [
            Self.rule("slow", Self.delay(.response, 300_000...300_000)), Self.rule("line", Self.throttle(800, 200)),
            Self.rule("break", .fault(ResponseFault(.cut(at: 20_000)))),
        ]
        var exchange = RuledExchange("GET", "api.shop.test", "/", code: 200)
        exchange.exchange.response?.body.length = 20_001
        let touch = try #require(try RuleTrial(RuleList(rules, now: 0)).touch(exchange))
        #expect(
            touch.uses.map { "\($0.rule) \($0.action) \($0.what)" } == [
                "line throttle down 800 kbit/s, up 200 kbit/s", "slow delay 300 ms",
                "break fault cut after 20000 bytes",
            ]
        )
        #expect(touch.request == nil && touch.response == nil && !touch.mayDiffer)
        #expect(touch.uses.sentence == "break (cut after 20000 bytes)", "A fault is a change; a delay is none")
    }

    @Test("A dry run says of a fault that a response is too short for it, and of the faults that another ends")
    func shortTrial() throws {
        func tried(_ length: Int64, _ kinds: ResponseFault.Kind...) throws -> [String] {
            let rules = kinds.enumerated().map { Self.rule("\($0.offset)", .fault(ResponseFault($0.element))) }
            var exchange = RuledExchange("GET", "api.shop.test", "/", code: 200)
            exchange.exchange.response?.body.length = length
            return try RuleTrial(RuleList(rules, now: 0)).touch(exchange)?.uses.filter { $0.note == nil }.map(\.rule)
                ?? []
        }
        #expect(try tried(29, .cut(at: 29)).isEmpty && tried(30, .cut(at: 29)) == ["0"])
        #expect(try tried(9, .cut(at: 8), .reset(at: 5), .corrupt(at: 5), .corrupt(at: 4)) == ["1", "3"])
        #expect(try tried(0, .drip(bytes: 1, microseconds: 1), .badLength(nil)) == ["1"])
        #expect(try tried(9, .cut(at: 1), .statusOnly) == ["1"])
    }

    @Test("A fault that did not happen changed nothing, and the record says why")
    func missed() throws {
        let list = RuleList([Self.rule("break", .fault(ResponseFault(.cut(at: 9))))], now: 0)
        let exchange = RuledExchange("GET", "api.shop.test", "/", code: 200)
        var run = try #require(RuleRun(list, for: exchange.summary))
        guard case .applies(let firings) = try run.judge(.response, at: .responseBody, of: exchange, now: 0) else {
            Issue.record("the rule waits")
            return
        }
        let pacing = run.pace(.response, by: firings, RulePacing.Sharer(host: "", connection: ""))
        run.noteFaults(pacing.faults)
        #expect(run.uses.map(\.what) == [""] && run.uses.first?.note == "skipped: the response is too short for it")
        #expect(!run.uses.isModified)
    }

    @Test(
        "A response that is too short for a fault is none of the fault's times, whatever else its rule does",
        arguments: ["", #", "tag": "t""#, #", "delay": "1ms""#]
    )
    func missedTimes(more: String) throws {
        let rule = #"[{"name": "break", "fault": {"cut": 9, "times": 1}\#(more)}]"#
        let list = RuleList(try RuleTree.rules(rule), now: 0)
        let exchange = RuledExchange("GET", "api.shop.test", "/", code: 200)
        func faults(_ bytes: Int) throws -> Bool {
            var run = try #require(RuleRun(list, for: exchange.summary))
            guard case .applies(let firings) = try run.judge(.response, at: .responseBody, of: exchange, now: 0) else {
                return false
            }
            var faults = run.pace(.response, by: firings, RulePacing.Sharer(host: "", connection: "")).faults
            var body = ByteBuffer(repeating: 1, count: bytes)
            let end = faults.take(&body)
            run.noteFaults(faults)
            return end != nil
        }
        #expect(try [faults(5), faults(5)] == [false, false])
        #expect(list.figures(of: "break")?.hits == (more.isEmpty ? 0 : 2))
        #expect(try [faults(20), faults(20)] == [true, false])
        #expect(list.figures(of: "break")?.hits == (more.isEmpty ? 1 : 4))
    }
}
