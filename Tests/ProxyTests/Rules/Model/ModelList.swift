import Support

/// The model: what a list of rules does to an exchange, said once more and in another way, by whole exchanges, with no phase and no index.
struct ModelList {
    private(set) var rules: [ModelRule]
    /// Whether the rules apply that the exchange has come to, by their places: each is drawn once.
    private var drawn: [Int: Bool] = [:]

    /// A list made up at random.
    ///
    /// - Parameters:
    ///   - name: what the names of its rules begin with.
    ///   - dice: what it is made up from.
    init(_ name: String, _ dice: inout SeededGenerator) {
        rules = []
        for number in 0..<Int.random(in: 1...6, using: &dice) {
            rules.append(ModelRule("\(name)r\(number)", &dice))
        }
    }

    /// Whether what is recorded of exchanges is all that the rules were judged by.
    ///
    /// It is not where a rule changes the status or the type of a response, since the record's line has those that the client got; nor where one
    /// refuses a request whose body a condition asks about, since the record does not say that a body in chunks was whole.
    var isRecordedAsJudged: Bool {
        let changesLine = rules.contains { $0.changesResponse && $0.response.changesRecordedLine }
        let refusesBodies =
            rules.contains { $0.word == "block" } && rules.contains { $0.condition.text.contains("reqbody") }
        return !changesLine && !refusesBodies
    }

    /// What becomes of the next exchange.
    ///
    /// - Parameters:
    ///   - exchange: the exchange.
    ///   - free: what became of it without rules, with one request that an origin got.
    ///   - elsewhere: the authority to which rules send requests.
    /// - Returns: what becomes of it.
    mutating func outcome(_ exchange: ModelExchange, without free: ModelOutcome, _ elsewhere: String) -> ModelOutcome {
        var (held, final, end) = ([Int](), Int?.none, rules.count)
        drawn = [:]
        for index in rules.indices where index <= end && rules[index].isJudgedFirst {
            guard rules[index].condition.holds(exchange) else { continue }
            held.append(index)
            // Nobody changes a request that is answered, and a rule that does nothing ends nothing.
            if final != nil, rules[index].word != nil { continue }
            if rules[index].isFinal, draw(index) { final = index }
            if rules[index].stops, draw(index) { end = index }
        }
        var (outcome, seen) = (free, exchange)
        for index in held where drawn[index] != false && (final == nil || final == index || rules[index].word == nil) {
            if draw(index), rules[index].stops { outcome.uses.append("\(rules[index].name) stop") }
        }
        if let final {
            outcome.uses.append("\(rules[final].name) \(rules[final].word ?? "")")
            rules[final].answer(&outcome, &seen)
            if rules[final].kind != .answer { return outcome }
        } else {
            edit(held.filter { drawn[$0] == true }, &outcome, elsewhere)
        }
        var changing: [Int] = []
        for index in rules.indices where index <= end && rules[index].changesResponse {
            guard rules[index].condition.holds(seen), draw(index) else { continue }
            changing.append(index)
            // The others that stop have done so with the request.
            let isFirstDone = rules[index].condition.asksOfResponse || rules[index].word != nil && final != nil
            guard rules[index].stops, isFirstDone else { continue }
            outcome.uses.append("\(rules[index].name) stop")
            end = index
        }
        var head = ModelHead(outcome.head)
        for rule in changing.map({ rules[$0] }) {
            outcome.uses.append("\(rule.name) response\(rule.response.apply(to: &head) ? "" : " skipped")")
        }
        outcome.head = head.text
        if final == nil, !outcome.uses.isEmpty { outcome.ending = .changed }
        return outcome
    }

    private mutating func draw(_ index: Int) -> Bool {
        let applies = drawn[index] ?? rules[index].draw()
        drawn[index] = applies
        return applies
    }

    /// Has rules change a request, and where it goes.
    private func edit(_ places: [Int], _ outcome: inout ModelOutcome, _ elsewhere: String) {
        guard var sent = outcome.sent.first else { return }
        var head = ModelHead(sent.head)
        for rule in places.map({ rules[$0] }) {
            guard let word = rule.word else { continue }
            var isDone = true
            if rule.kind == .send {
                head.set("Host", elsewhere)
                sent.isElsewhere = true
            } else {
                isDone = rule.request.apply(to: &head)
            }
            outcome.uses.append("\(rule.name) \(word)\(isDone ? "" : " skipped")")
        }
        // The path of the other place stands before whatever the rules have made of the target.
        if sent.isElsewhere { head.start = head.start.replacing(" /", with: " /v2/", maxReplacements: 1) }
        sent.head = head.text
        outcome.sent = [sent]
    }
}
