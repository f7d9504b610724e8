import ArgumentParser
import NIOCore
import Traffic

/// `inspect-bench rules`: what rules cost an exchange.
struct RulesBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rules",
        abstract: "Decide rules and do what they say, as the proxy does for each exchange."
    )

    @Option(help: "Exchanges of a round.")
    var count: Int = 20_000

    @Option(help: "Rounds; the median counts.")
    var rounds: Int = 5

    /// Bytes of a piece of a body that passes, and pieces of a round.
    private static let (pieceBytes, pieceCount) = (64 << 10, 2_000)
    /// Rows of a body that is edited whole: 100 KB of them.
    private static let rowCount = 2_400

    mutating func validate() throws {
        guard count > 0, rounds > 0 else { throw ValidationError("every number must be above 0") }
    }

    func run() throws {
        let field: JSONValue = .object([("set", .object([("X-Rule", .string("1"))]))])
        try decide("one rule that sets a field", [("request", .object([("fields", field)]))])
        try decide("1,000 rules of other hosts", [("block", .string("reset"))]) { "host:h\($0).example path:/a\($0)/" }
        // All that such a path must have this path has too, so that each is judged, and none holds.
        try decide("1,000 expressions for other paths", [("block", .string("reset"))], isEachJudged: true) {
            "path:/^\\/[a-z][0-9]\\/[a-z]+\\/[0-9]{\($0 / 32 + 1)}[x-z]{\($0 % 32 + 1)}$/"
        }
        try edit(
            "a member of JSON set in 100 KB",
            "json",
            .object([("set", .object([("$.rows[7].end_day", .number(9))]))])
        )
        // The first stands nowhere, and has no letter that the body lacks.
        for find in ["start_slug", "start_day"] {
            let replacement: JSONValue = .object([("find", .string(find)), ("with", .string("begin_day"))])
            try pass("'\(find)' replaced while a body passes", ("replace", replacement), isThere: find == "start_day")
        }
    }

    // MARK: Measures

    /// Measures what it takes to decide rules on a request's head, and to do what those say that apply.
    ///
    /// - Parameters:
    ///   - what: what is measured.
    ///   - actions: the members of each rule that say what it does.
    ///   - isEachJudged: whether the index of the rules leaves each of them to be judged.
    ///   - condition: the condition of the rule with a number; `nil` for one rule without any.
    /// - Throws: where the rules cannot be read, or are not judged.
    private func decide(
        _ what: String,
        _ actions: [(name: String, value: JSONValue)],
        isEachJudged: Bool = false,
        when condition: ((Int) -> String)? = nil
    ) throws {
        let list = try rules(
            (0..<(condition == nil ? 1 : 1_000)).map { number in
                let when = condition.map { [(name: "when", value: JSONValue.string($0(number)))] } ?? []
                return .object([("name", .string("rule \(number)"))] + when + actions)
            }
        )
        let sample = RuledSample()
        let judged = list.candidates(for: sample.summary).count
        guard !isEachJudged || judged == list.rules.count else {
            throw ValidationError("\(judged) of \(list.rules.count) rules are judged")
        }
        try measure(what, unit: "µs an exchange", .microseconds(count)) {
            for _ in 0..<count {
                let sample = sample.again
                guard var run = RuleRun(list, for: sample.summary),
                    case .applies(let firings) = try run.judge(.request, at: .requestHead, of: sample, now: 0),
                    !firings.isEmpty
                else { continue }
                var scope = try sample.scope
                _ = run.edit(sample.request.head, .request, by: firings, &scope)
            }
        }
    }

    /// Measures the edit of a whole body.
    private func edit(_ what: String, _ name: String, _ value: JSONValue) throws {
        let rows = repeatElement(#"{"slug":"hall","start_day":0,"end_day":6}"#, count: Self.rowCount)
        let body = ByteBuffer(string: #"{"rows":[\#(rows.joined(separator: ","))]}"#)
        // One editor for each round, since it is used for one body.
        var editors = try (0..<rounds).map { _ in try editor((name, value)) }
        try measure(what, unit: "ms", .milliseconds(1)) {
            guard var editor = editors.popLast(), editor.edit(whole: body) != nil else {
                throw ValidationError("nothing was changed")
            }
        }
    }

    /// Measures the edit of a body that passes in pieces.
    private func pass(_ what: String, _ change: (name: String, value: JSONValue), isThere: Bool) throws {
        let text = String(repeating: #"{"slug":"hall","start_day":0,"end_day":6},"#, count: Self.pieceBytes / 42)
        let piece = ByteBuffer(string: text)
        let megabytes = Double(piece.readableBytes * Self.pieceCount) / 1e6
        var editors = try (0..<rounds).map { _ in try editor(change) }
        let took = try median {
            guard var editor = editors.popLast() else { return }
            for _ in 0..<Self.pieceCount { _ = editor.take(piece) }
            _ = editor.finish()
            guard let note = editor.notes.first, note.skipped == nil, note.what.isEmpty != isThere else {
                throw ValidationError("the body was not edited as it should be")
            }
        }
        print("\(what): \(Int(megabytes / (took / .seconds(1)))) MB/s (median of \(rounds) rounds)")
    }

    private func measure(_ what: String, unit: String, _ one: Duration, _ round: () throws -> Void) throws {
        let figure = try median(of: round) / one
        print("\(what): \((figure * 100).rounded() / 100) \(unit) (median of \(rounds) rounds)")
    }

    private func median(of round: () throws -> Void) throws -> Duration {
        try (0..<rounds).map { _ in try ContinuousClock().measure(round) }.sorted()[rounds / 2]
    }

    // MARK: Rules

    private func rules(_ rules: [JSONValue]) throws -> RuleList {
        var reader = RuleReader(textNamed: "rules")
        let list = reader.list(RuleTree(json: .array(rules)))
        if let problem = reader.problems.first { throw ValidationError(problem.description) }
        return RuleList(list, now: 0)
    }

    /// What edits the response's body by one rule.
    private func editor(_ change: (name: String, value: JSONValue)) throws -> BodyEditor {
        let response: JSONValue = .object([("body", .object([change]))])
        let list = try rules([.object([("name", .string("rule")), ("response", response)])])
        let sample = RuledSample()
        guard var run = RuleRun(list, for: sample.summary), let head = sample.response?.head,
            case .applies(let firings) = try run.judge(.response, at: .responseHead, of: sample, now: 0)
        else { throw ValidationError("no rule applies") }
        var scope = try sample.scope
        guard let editor = run.edit(head, .response, by: firings, &scope).bodyEditor else {
            throw ValidationError("no body is edited")
        }
        return editor
    }
}

/// An exchange whose heads have come, as rules look at it.
private struct RuledSample: FilterSubject {
    let summary: ExchangeSummary
    let request: Message
    let response: Message?
    /// As the proxy keeps them, each folded once for all rules.
    private(set) var heads: SearchedHeads? = SearchedHeads()

    init() {
        let exchange = SampleExchange(number: 1).exchange
        (summary, request, response) = (exchange.summary, exchange.request, exchange.response)
    }

    /// The same as another exchange, of which nothing is folded yet.
    var again: RuledSample {
        var again = self
        again.heads = SearchedHeads()
        return again
    }

    /// The values of templates; no rule here has any.
    var scope: TemplateScope {
        get throws { try TemplateScope(self, now: 0, needsBody: false, generator: RuleDice(seed: 1)) }
    }

    func message(_ side: MessageSide) -> Message? { side == .request ? request : response }
    func body(_ side: MessageSide, offset: Int64, limitBytes: Int) -> [UInt8] { [] }
    func messages(after number: Int64) -> [StreamMessage] { [] }
}
