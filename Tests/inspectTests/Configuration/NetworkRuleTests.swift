import ArgumentParser
import Testing
import Traffic

@testable import inspect

/// Delays, throttles and faults are read as they are meant, or refused with the place of what is wrong.
@Suite(.timeLimit(.minutes(15))) struct NetworkRuleTests {
    private static func rule(_ text: String) throws -> Rule? {
        let (rules, problems) = try RuleFiles.read("rules:\n- {name: a, \(text)}\n", path: "rules.yaml")
        #expect(problems.map(\.description) == [], "\(text)")
        return rules.first
    }

    @Test(
        "A delay lies on the request, or where it is said to; one that asks about the response lies on that",
        arguments: [
            ("delay: 300ms", [RuleDelay(.request, 300_000...300_000)]),
            ("delay: 1s..3s", [RuleDelay(.request, 1_000_000...3_000_000)]),
            ("delay: {response: 1.5s}", [RuleDelay(.response, 1_500_000...1_500_000)]),
            (
                "delay: {request: 100ms, response: 0ms..1m}",
                [RuleDelay(.request, 100_000...100_000), RuleDelay(.response, 0...60_000_000)]
            ), ("when: code:500, delay: 1s", [RuleDelay(.response, 1_000_000...1_000_000)]),
            ("delay: 1s, when: code:500", [RuleDelay(.response, 1_000_000...1_000_000)]),
        ]
    )
    func delays(text: String, expected: [RuleDelay]) throws {
        #expect(try Self.rule(text)?.actions == expected.map(RuleAction.delay))
    }

    @Test("What is named beside a preset takes its place, wherever it stands")
    func throttle() throws {
        for text in ["throttle: {preset: slow-4g, stall: 2%}", "throttle: {stall: 2%, preset: slow-4g}"] {
            guard case .throttle(let throttle)? = try Self.rule(text)?.actions.first else {
                Issue.record("no throttle")
                return
            }
            #expect(throttle.down == ByteRate(kilobits: 1_440) && throttle.up == ByteRate(kilobits: 675))
            #expect(throttle.roundTrip == 562_500 && throttle.stall == 20_000 && throttle.scope == .rule)
            #expect(throttle.text == "slow-4g, stalls 2.0%")
        }
        let own = "throttle: {down: 100kB/s, up: 1.5mbit, rtt: 100ms, jitter: 20ms, per: connection}"
        guard case .throttle(let throttle)? = try Self.rule(own)?.actions.first else {
            Issue.record("no throttle")
            return
        }
        #expect(throttle.down?.bytesPerSecond == 100_000 && throttle.up?.bytesPerSecond == 187_500)
        #expect(throttle.roundTrip == 100_000 && throttle.jitter == 20_000 && throttle.scope == .connection)
        #expect(throttle.text == "down 800 kbit/s, up 1.5 Mbit/s, round trip 100 ms, jitter 20 ms")
        guard case .throttle(let late)? = try Self.rule("when: type:image, throttle: slow-4g")?.actions.first else {
            Issue.record("no throttle")
            return
        }
        #expect(late.side == .response && late.up == nil && late.down != nil)
    }

    @Test(
        "A fault is read in each of its forms",
        arguments: [
            ("cut", ResponseFault.Kind.cut(at: 20_000), "{cut: 20k}"),
            ("stall", .stall(at: 0, microseconds: 10_000_000), "{stall: {for: 10s}}"),
            ("stall at", .stall(at: 512, microseconds: 1_000), "{stall: {at: 512, for: 1ms}}"),
            ("corrupt", .corrupt(at: 0), "{corrupt: 0}"),
            ("drip", .drip(bytes: 1, microseconds: 100_000), "{drip: 100ms}"),
            ("drips", .drip(bytes: 10, microseconds: 100_000), "{drip: {bytes: 10, every: 100ms}}"),
            ("status", .statusOnly, "status-only"), ("status so", .statusOnly, "{status-only: true}"),
            ("length", .badLength(nil), "bad-length"), ("its length", .badLength(5), "{bad-length: 5}"),
            ("reset", .reset(at: nil), "reset"), ("reset late", .reset(at: 1_000), "{reset: 1k}"),
        ]
    )
    func faults(name: String, kind: ResponseFault.Kind, text: String) throws {
        guard case .fault(let fault)? = try Self.rule("fault: \(text)")?.actions.first else {
            Issue.record("no fault")
            return
        }
        #expect(fault.kind == kind)
    }

    @Test("How often a fault happens is said of the rule, or of the fault alone where the rule does more")
    func often() throws {
        let alone = try #require(try Self.rule("fault: {cut: 1, every: 10, times: 2}"))
        #expect(alone.limits.every == 10 && alone.limits.times == 2)
        let beside = try #require(try Self.rule("fault: {cut: 1, every: 10}, throttle: wifi"))
        #expect(beside.limits.every == 1 && beside.actions.map(\.word) == ["throttle", "fault"])
        guard case .fault(let fault)? = beside.actions.last else {
            Issue.record("no fault")
            return
        }
        #expect(fault.limits.every == 10)
    }

    @Test(
        "A mistake is named at its place, which is marked here",
        arguments: [
            ("delay: ‸soon", "expected a delay such as 300ms"), ("delay: ‸2h", "expected a delay such as 300ms"),
            ("delay: ‸0ms", "expected a delay"), ("delay: ‸3s..1s", "expected a delay"),
            ("delay: {‸reqest: 1s}", "'reqest' is no side of an exchange; did you mean 'request'?"),
            ("when: '‸code:500', delay: {request: 1s}", "code:500: the response is not known yet"),
            ("throttle: ‸slow-5g", "'slow-5g' is no preset; did you mean 'slow-4g'?"),
            ("throttle: {preset: ‸fats}", "'fats' is no preset"),
            ("throttle: {down: ‸fast}", "expected a rate such as 800kbit"),
            ("throttle: {down: ‸0kbit}", "expected a rate"), ("throttle: {down: ‸10}", "expected a rate"),
            ("throttle: ‸{}", "nothing is slow here"), ("throttle: {rtt: ‸2h}", "expected a time such as 100ms"),
            ("throttle: ‸{rtt: 1ms, jitter: 2ms}", "'jitter' is a part of 'rtt'"),
            ("throttle: {preset: wifi, per: ‸port}", "expected rule, host, connection or exchange"),
            ("throttle: {preset: offline, ‸rtt: 1s}", "'offline' answers nothing"),
            ("block: reset, ‸throttle: offline", "a rule answers once: 'block' stands in it already"),
            ("throttle: {‸dwn: 1mbit}", "'dwn' is no part of a throttle; did you mean 'down'?"),
            ("when: type:json, throttle: {down: 1mbit, ‸up: 1mbit}", "the request has gone up"),
            ("fault: ‸cutt", "'cutt' is no fault; did you mean 'cut'?"), ("fault: ‸{}", "expected a fault such as"),
            ("fault: {cut: ‸x}", "expected a number of bytes"), ("fault: {cut: ‸'>5'}", "expected a number of bytes"),
            ("fault: {cut: 1, ‸reset: true}", "a fault is one thing: 'cut' stands in it already"),
            ("fault: {stall: ‸{at: 5}}", "expected where and how long it stalls"),
            ("fault: {drip: {bytes: ‸0, every: 1s}}", "expected a whole number from 1"),
            ("fault: {status-only: ‸false}", "expected true"), ("fault: {‸evry: 5}", "'evry' is no fault"),
        ]
    )
    func mistakes(rule: String, expected: String) throws {
        let text = "rules:\n- {name: a, \(rule)}\n"
        let column = text.split(separator: "\n").last?.prefix { $0 != "‸" }.count ?? 0
        let problems = try RuleFiles.read(text.replacing("‸", with: ""), path: "rules.yaml").problems
        let place = "rules.yaml:2:\(column + 1): "
        #expect(problems.first?.description.hasPrefix(place + expected) == true, "\(problems)")
    }

    @Test("--throttle is a rule of its own before those of the files, and knows its presets")
    func option() throws {
        let options = try StartCommand.parse(["--throttle", "slow-4g"]).options
        let rules = try RuleFiles.rules(at: [], after: options.ruling.own)
        #expect(rules.map(\.name) == ["throttle"] && rules.first?.actions.map(\.word) == ["throttle"])
        #expect(try StartCommand.parse(["--throttle", "offline"]).options.ruling.own.first?.actions == [.block(.hang)])
        #expect(throws: (any Error).self) { try StartCommand.parse(["--throttle", "slow-5g"]) }
        #expect(try StartCommand.parse([]).options.ruling.own == [])
    }
}
