import NIOCore
import Support
import Testing

@testable import Proxy
@testable import Traffic

/// Random lists of rules in a running proxy, whose clients and origins keep every byte.
///
/// Of each exchange the same is asked of a proxy without rules first: what that passes is what the model edits, and what has to pass where no rule applies.
@Suite("Live, dry run and a model do alike to real traffic", .timeLimit(.minutes(15)))
struct LiveModelTests {
    /// Something that the model says otherwise.
    private struct Difference: Error, CustomStringConvertible {
        var description: String
    }

    @Test("Random rules do to real traffic what a model says, and what no rule touches passes as without rules")
    func random() async throws {
        let endings = try await Self.agree(seed: 1, lists: 240)
        #expect(endings == Set(ModelOutcome.Ending.allCases))
    }

    /// Puts random lists in force one after another, and has three random exchanges pass each.
    ///
    /// - Parameters:
    ///   - seed: what the first list and its exchanges are made up from; the next one is made up from the next number, so a failure that names
    ///     a seed comes again with that seed and one list.
    ///   - lists: how many.
    /// - Returns: how the exchanges ended.
    /// - Throws: what starting the origins and the proxies throws.
    @discardableResult
    static func agree(seed: UInt64, lists: Int) async throws -> Set<ModelOutcome.Ending> {
        let origins = try await ModelOrigins.start()
        let here = try SocketAddress(ipAddress: "127.0.0.1", port: 0)
        var endings: Set<ModelOutcome.Ending> = []
        try await RunningProxy.run(configure: { $0.lookUp = { _ in [here] } }) { free in
            try await RunningProxy.run(configure: { $0.lookUp = { _ in [here] } }) { ruled in
                var (free, ruled) = (ModelClient(free), ModelClient(ruled))
                for number in 0..<lists {
                    let seed = seed &+ UInt64(number)
                    do {
                        endings.formUnion(try await agree(seed, &free, &ruled, origins))
                    } catch {
                        Issue.record("seed \(seed), one list: \(error)")
                        return
                    }
                }
            }
        }
        return endings
    }

    private static func agree(
        _ seed: UInt64,
        _ free: inout ModelClient,
        _ ruled: inout ModelClient,
        _ origins: ModelOrigins
    ) async throws -> [ModelOutcome.Ending] {
        var dice = SeededGenerator(seed: seed)
        var model = ModelList("s\(seed)", &dice)
        let rules = try model.rules.map { try $0.rule(sendingTo: "http://\(origins.elsewhere)/v2") }
        let server = ruled.proxy.server
        let list = RuleList(rules, after: server.rules, now: 0)
        server.setRules(list)
        // Two dry runs: over what was recorded without rules, and over what was recorded with them.
        let trials = [RuleTrial(list), RuleTrial(list)]
        var endings: [ModelOutcome.Ending] = []
        for _ in 0..<3 {
            let exchange = ModelExchange(&dice)
            let (plain, _, plainRecord) = try await free.ask(exchange, origins)
            let (live, uses, liveRecord) = try await ruled.ask(exchange, origins)
            guard plain.ending == .untouched, plain.sent.count == 1 else {
                throw Difference(description: "without rules: \(plain) of \(exchange)")
            }
            let expected = model.outcome(exchange, without: plain, origins.elsewhere)
            func check(_ what: String, _ isRight: Bool, _ got: @autoclosure () -> Any) throws {
                guard !isRight else { return }
                let lines = model.rules.map { "\n\($0)" }.joined()
                throw Difference(
                    description:
                        "\(what): \(got())\nexpected: \(expected)\nwithout rules: \(plain)\nof \(exchange)\(lines)"
                )
            }
            try check("live", live == expected, live)
            endings.append(live.ending)
            for (trial, record) in zip(trials, model.isRecordedAsJudged ? [plainRecord, liveRecord] : [plainRecord]) {
                let touch = try trial.touch(record)
                // To the last word: what each changed, when it was decided, and in whose way it stood.
                let tried = touch?.uses ?? []
                try check("dry run", tried == uses, "\(tried), live \(uses)")
                try check("counts of the dry run", hits(trial.list) == model.rules.map(\.hits), hits(trial.list))
                guard record.summary.rules.isEmpty else { continue }
                let heads = heads(touch, plain)
                try check("request of the dry run", expected.sent.isEmpty || heads.fields == fields(expected), heads)
                let isTried = [.untouched, .changed, .answered].contains(expected.ending)
                try check("response of the dry run", !isTried || heads.response == expected.head, heads)
            }
            try check("counts", hits(list) == model.rules.map(\.hits), hits(list))
        }
        return endings
    }

    private static func hits(_ list: RuleList) -> [Int] { list.figures.map { Int($0.hits) } }

    /// The field lines of the request that an origin got.
    private static func fields(_ outcome: ModelOutcome) -> [String] {
        outcome.sent.first.map { ModelHead($0.head).lines } ?? []
    }

    /// The field lines of the request, and the head of the response, as a dry run has them.
    private static func heads(
        _ touch: RuleTrial.Touch?,
        _ free: ModelOutcome
    ) -> (fields: [String], response: String) {
        let request = touch?.request.map { ModelHead(String(buffer: $0.head)).lines }
        let response = (touch?.response?.head ?? touch?.answer?.head).map { String(buffer: $0) }
        return (request ?? fields(free), response ?? free.head)
    }
}
