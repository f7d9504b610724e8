import Support

@testable import Traffic

/// A rule made up at random, as the model has it.
struct ModelRule {
    /// What it does.
    enum Kind: CaseIterable {
        /// It edits the request, sends it elsewhere, edits the response, or edits both.
        case edit, send, change, both
        /// It answers, refuses by a status, or ends the client's connection.
        case answer, refuse, close, reset
    }

    let name: String
    let kind: Kind
    let condition: ModelCondition
    let stops: Bool
    let request: ModelEdit
    let response: ModelEdit
    let answer: ModelAnswer
    private var times = Int.max
    private var skip = 0
    private var every = 1
    private var matches = 0
    /// How often it applied.
    private(set) var hits = 0

    /// - Parameters:
    ///   - name: its name.
    ///   - dice: what it is made up from.
    init(_ name: String, _ dice: inout SeededGenerator) {
        self.name = name
        kind = Kind.allCases.randomElement(using: &dice) ?? .edit
        condition = ModelCondition(&dice, ofResponse: kind == .change)
        stops = Int.random(in: 0..<4, using: &dice) == 0
        request = ModelEdit(&dice, of: .request)
        response = ModelEdit(&dice, of: .response)
        answer = ModelAnswer(&dice)
        if Int.random(in: 0..<3, using: &dice) == 0 { times = Int.random(in: 1...2, using: &dice) }
        if Int.random(in: 0..<3, using: &dice) == 0 { skip = Int.random(in: 0...2, using: &dice) }
        if Int.random(in: 0..<3, using: &dice) == 0 { every = Int.random(in: 1...3, using: &dice) }
    }

    /// The word for what it does to the request; `nil` where it does nothing to it.
    var word: String? {
        switch kind {
        case .edit, .both: "request"
        case .send: "send"
        case .answer: "respond"
        case .refuse, .close, .reset: "block"
        case .change: nil
        }
    }

    /// Whether the request gets no further.
    var isFinal: Bool { word == "respond" || word == "block" }

    /// Whether it changes the response.
    var changesResponse: Bool { kind == .change || kind == .both }

    /// Whether there is anything to decide before the response is known.
    var isJudgedFirst: Bool { !condition.asksOfResponse && (word != nil || stops) }

    /// Counts that its condition held, and says whether it applies.
    mutating func draw() -> Bool {
        matches += 1
        let applies = matches > skip && (matches - skip) % every == 0 && hits < times
        if applies { hits += 1 }
        return applies
    }

    /// Answers an exchange, or ends it.
    ///
    /// - Parameters:
    ///   - outcome: what became of it so far: nothing goes to an origin.
    ///   - seen: the exchange, which has the answer as its response then.
    func answer(_ outcome: inout ModelOutcome, _ seen: inout ModelExchange) {
        (outcome.sent, outcome.head, outcome.content) = ([], "", "")
        switch kind {
        case .refuse:
            outcome.ending = .refused
            outcome.head = ModelAnswer.mark(name)
        case .close: outcome.ending = .closed
        case .reset: outcome.ending = .reset
        default:
            outcome.ending = .answered
            seen = seen.answered(by: answer, of: name)
            (outcome.head, outcome.content) = (answer.head(of: name).text, seen.content)
        }
    }

    /// The rule as the proxy has it.
    ///
    /// - Parameter place: where rules send requests.
    /// - Returns: the rule.
    /// - Throws: what reading its condition and the place throws.
    func rule(sendingTo place: String) throws -> Rule {
        var send = RuleSend()
        send.to = try ReplayTarget(place)
        let actions: [RuleAction] =
            switch kind {
            case .edit: [.request(request.edit)]
            case .send: [.send(send)]
            case .change: [.response(response.edit)]
            case .both: [.request(request.edit), .response(response.edit)]
            case .answer: [.respond(RuleAnswers([answer.answer]))]
            case .refuse: [.block(.status(403))]
            case .close: [.block(.close)]
            case .reset: [.block(.reset)]
            }
        let position = Rule.Place(path: "rules.yaml", line: 1, column: 1)
        var rule = Rule(name: name, place: position, condition: try RuleCondition(condition.text), actions: actions)
        rule.stops = stops
        rule.limits.times = times == .max ? nil : Int64(times)
        (rule.limits.skip, rule.limits.every) = (Int64(skip), Int64(every))
        return rule
    }
}

extension ModelRule: CustomStringConvertible {
    /// The rule on a line.
    var description: String {
        let limits = "\(times == .max ? "" : " times \(times)") skip \(skip) every \(every)\(stops ? " stop" : "")"
        let edits = [word == "request" ? "\(request.edit)" : "", changesResponse ? "\(response.edit)" : ""]
        return "\(name) \(kind) when \(condition.text)\(limits) \(edits.joined(separator: " "))"
    }
}
