import NIOCore
import Support
import Testing

@testable import Traffic

@Suite("Live, dry run and a model decide alike", .timeLimit(.minutes(15)))
struct RuleModelTests {
    /// An exchange as far as it has come: what comes later cannot be looked at.
    private struct Unfolding<Subject: FilterSubject>: FilterSubject {
        var subject: Subject
        var phase: RulePhase

        var summary: ExchangeSummary {
            var summary = subject.summary
            summary.outcome = .pending
            if phase < .responseHead { (summary.code, summary.mediaType) = (nil, nil) }
            (summary.requestBytes, summary.responseBytes, summary.duration) = (0, 0, nil)
            return summary
        }

        func message(_ side: MessageSide) throws -> Message? {
            guard phase >= .head(of: side), var message = try subject.message(side) else { return nil }
            if phase < .body(of: side) { message.body = Body() }
            return message
        }

        func body(_ side: MessageSide, offset: Int64, limitBytes: Int) throws -> [UInt8] {
            phase < .body(of: side) ? [] : try subject.body(side, offset: offset, limitBytes: limitBytes)
        }

        func messages(after number: Int64) -> [StreamMessage] { [] }
    }

    private static func lines(_ dice: inout SeededGenerator) -> [RuleModel.Line] {
        (0..<Int.random(in: 1...7, using: &dice)).map { number in
            let kind = RuleModel.Line.Kind.allCases.randomElement(using: &dice) ?? .edit
            let condition = RandomCondition(&dice, ofResponse: kind == .change)
            let stops = Int.random(in: 0..<4, using: &dice) == 0
            var line = RuleModel.Line(name: "r\(number)", condition: condition, kind: kind, stops: stops)
            if Bool.random(using: &dice) { line.times = Int.random(in: 1...2, using: &dice) }
            if Bool.random(using: &dice) { line.skip = Int.random(in: 0...2, using: &dice) }
            if Bool.random(using: &dice) { line.every = Int.random(in: 1...3, using: &dice) }
            return line
        }
    }

    private static func rule(_ line: RuleModel.Line) throws -> Rule {
        var edit = MessageEdit()
        edit.fields.add = [FieldEdit.Field(name: "X-\(line.name)", value: Template(plain: "1"))]
        var answer = RuleAnswer()
        answer.status = 503
        let actions: [RuleAction] =
            switch line.kind {
            case .edit: [.request(edit)]
            case .answer: [.respond(RuleAnswers([answer]))]
            case .block: [.block(.reset)]
            case .change: [.response(edit)]
            case .both: [.request(edit), .response(edit)]
            }
        let place = Rule.Place(path: "r.yaml", line: 1, column: 1)
        let condition = try RuleCondition(line.condition.text)
        var rule = Rule(name: line.name, place: place, condition: condition, actions: actions)
        rule.stops = line.stops
        rule.limits.times = line.times == .max ? nil : Int64(line.times)
        (rule.limits.skip, rule.limits.every) = (Int64(line.skip), Int64(line.every))
        return rule
    }

    /// Decides phase by phase, as a proxy does.
    private static func live(_ list: RuleList, _ exchange: RuledExchange) throws -> RuleModel.Outcome {
        var outcome = RuleModel.Outcome()
        guard var run = RuleRun(list, for: exchange.summary) else { return outcome }
        func names(_ side: MessageSide, _ subject: some FilterSubject) throws -> [String] {
            for phase in [RulePhase.head(of: side), .body(of: side)] {
                let seen = Unfolding(subject: subject, phase: phase)
                guard case .applies(let firings) = try run.judge(side, at: phase, of: seen, now: 0) else { continue }
                return firings.map(\.rule.name)
            }
            Issue.record("a rule waits for more than there is")
            return []
        }
        outcome.request = try names(.request, exchange)
        outcome.final = run.final?.rule.name
        guard outcome.final != nil else {
            outcome.response = try names(.response, exchange)
            return outcome
        }
        outcome.request = []
        var scope = try TemplateScope(exchange, now: 0, needsBody: false, generator: RuleDice(seed: 0))
        guard let answer = try run.answer(&scope) else { return outcome }
        let head = answer.head(length: 0)
        let response = TriedContent.Response(head: head, code: answer.status, length: 0) { _, _ in [] }
        outcome.response = try names(.response, AnsweredExchange(subject: exchange, answer: response))
        return outcome
    }

    private static func tried(_ trial: RuleTrial, _ exchange: RuledExchange) throws -> RuleModel.Outcome {
        let done = (try trial.touch(exchange)?.uses ?? []).filter { $0.note == nil }
        return RuleModel.Outcome(
            request: done.filter { $0.action == "request" }.map(\.rule),
            final: done.first { $0.action == "respond" || $0.action == "block" }?.rule,
            response: done.filter { $0.action == "response" }.map(\.rule)
        )
    }

    @Test("Random rules do the same to random traffic", arguments: 0..<4 as Range<UInt64>)
    func random(seed: UInt64) throws {
        var dice = SeededGenerator(seed: seed)
        for _ in 0..<2_500 {
            var model = RuleModel(lines: Self.lines(&dice))
            let list = RuleList(try model.lines.map(Self.rule), now: 0)
            let trial = RuleTrial(list)
            for _ in 0..<3 {
                let facts = RandomFacts(&dice)
                let expected = model.outcome(facts)
                let (live, tried) = (try Self.live(list, facts.exchange), try Self.tried(trial, facts.exchange))
                let hits = model.lines.map { Int64($0.hits) }
                let counted = list.figures.map(\.hits) == hits && trial.list.figures.map(\.hits) == hits
                guard live == expected, tried == expected, counted else {
                    let rules = model.lines.map {
                        "\($0.name) \($0.kind) \($0.condition.text)\($0.stops ? " stop" : "")"
                    }
                    Issue.record("\(rules) on \(facts): live \(live), tried \(tried), expected \(expected), \(hits)")
                    return
                }
            }
        }
    }
}
