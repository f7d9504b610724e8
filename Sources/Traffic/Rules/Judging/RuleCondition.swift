/// When a rule applies: a query text, judged on the original messages phase by phase.
package struct RuleCondition: Hashable, Sendable {
    /// The query text; empty for all exchanges.
    package let text: String
    let condition: FilterCondition
    /// Whether a test tells a WebSocket from other exchanges.
    let asksOfWebSocket: Bool

    /// Characters of a condition's text at most.
    package static let limit = FilterParser.limit
    /// The condition that every exchange fulfils.
    package static let always = RuleCondition(text: "", condition: .all([]))

    private init(text: String, condition: FilterCondition) {
        (self.text, self.condition) = (text, condition.withBodiesLast)
        asksOfWebSocket = condition.tests.contains(where: \.isOfWebSocket)
    }

    /// Reads a query text.
    ///
    /// - Throws: `FilterError` with the column: the text is no query, or asks for something that is not known while an exchange is under way.
    package init(_ text: String) throws(FilterError) {
        let terms = try FilterParser.terms(text, now: 0)
        for term in terms {
            guard let refusal = term.condition.tests.lazy.compactMap(\.refusal).first else { continue }
            throw FilterError("\(term.text): \(refusal)", column: term.column(in: text), query: text)
        }
        self.init(text: text, condition: .allOf(terms.map(\.condition)))
    }

    /// Why an action on the request cannot depend on the condition; `nil` when it can.
    var responseProblem: FilterError? {
        guard let terms = try? FilterParser.terms(text, now: 0) else { return nil }
        for term in terms where term.condition.tests.contains(where: \.isOfResponse) {
            let sentence = "\(term.text): the response is not known yet when the request is changed or answered"
            return FilterError(sentence, column: term.column(in: text), query: text)
        }
        return nil
    }

    /// Whether the condition asks about the response.
    var asksOfResponse: Bool { condition.tests.contains(where: \.isOfResponse) }

    /// Values that its tests compare with, each of which is work for each exchange.
    var valueCount: Int { condition.tests.reduce(0) { $0 + $1.valueCount } }

    /// Whether a test looks at whichever message the action changes.
    var asksOfEitherSide: Bool { condition.tests.contains(where: \.isOfEitherSide) }

    /// Whether the condition asks which program sent the request.
    var asksOfProcess: Bool { condition.tests.contains(where: \.isOfProcess) }

    /// Whether an action on a side may have to wait for the request's body.
    func asksOfRequestBody(for side: MessageSide) -> Bool {
        condition.tests.contains { $0.phase(for: side) == .requestBody }
    }

    /// Whether the condition asks for something that is known only after a phase, at the latest with the body.
    func asks(after phase: RulePhase, for side: MessageSide) -> Bool {
        condition.tests.contains { $0.phase(for: side).map { $0 > phase } == true }
    }

    /// Whether the condition holds: true, false, or `nil` when too little is known yet (Kleene's logic).
    ///
    /// - Parameters:
    ///   - phase: what is known already; parts of the subject that come later are not looked at.
    ///   - side: the message that the rule's action changes; tests of either message look at it.
    ///   - subject: the exchange, with the messages as they came.
    ///   - lacksRequestBody: whether the request's body is not known whole, though the phase is a later one: it decides nothing then.
    ///   - lacksProcess: whether the program is not known yet that sent the request: it decides nothing then.
    /// - Returns: whether it holds, as far as that is known.
    /// - Throws: what the subject throws.
    package func decision(
        at phase: RulePhase,
        for side: MessageSide,
        of subject: some FilterSubject,
        lacksRequestBody: Bool = false,
        lacksProcess: Bool = false
    ) throws -> Bool? {
        try RuleJudge(
            phase: phase,
            side: side,
            subject: subject,
            lacksRequestBody: lacksRequestBody,
            lacksProcess: lacksProcess
        )
        .decision(condition)
    }
}

/// Decides conditions on one exchange in one phase.
private struct RuleJudge<Subject: FilterSubject> {
    let phase: RulePhase
    let side: MessageSide
    let subject: Subject
    let lacksRequestBody: Bool
    let lacksProcess: Bool

    func decision(_ condition: FilterCondition) throws -> Bool? {
        switch condition {
        case .test(let test): return try decision(test)
        case .not(let part): return try decision(part).map { !$0 }
        case .all(let parts): return try any(parts, is: false).map { !$0 }
        case .any(let parts): return try any(parts, is: true)
        }
    }

    /// Whether any part is decided so: true as soon as one is, false once all are decided otherwise.
    private func any(_ parts: [FilterCondition], is wanted: Bool) throws -> Bool? {
        var isKnown = true
        for part in parts {
            guard let decision = try decision(part) else {
                isKnown = false
                continue
            }
            if decision == wanted { return true }
        }
        return isKnown ? false : nil
    }

    private func decision(_ test: FilterTest) throws -> Bool? {
        guard let known = test.phase(for: side), !lacksRequestBody || known != .requestBody,
            !lacksProcess || !test.isOfProcess
        else { return nil }
        switch test {
        case .text:
            // A word found in the URL or in a field need not wait for the body.
            guard phase >= .head(of: side) else { return nil }
            let holds = try holds(test)
            return holds == true || phase >= known ? holds : nil
        case .number(.size, let ranges): return try length(.response, in: ranges)
        case .number(.reqsize, let ranges): return try length(.request, in: ranges)
        default: return phase >= known ? try holds(test) : nil
        }
    }

    /// Whether a test holds; `nil` where too much was looked for in the bodies already.
    private func holds(_ test: FilterTest) throws -> Bool? {
        let side = test.ownSide ?? side
        let subject = OneSide(subject: subject, side: side, hasBody: phase >= .body(of: side))
        let holds = try FilterCondition.test(test).holds(for: subject)
        return !holds && test.looksIntoBody && subject.decoded?.isSpent == true ? nil : holds
    }

    private func length(_ side: MessageSide, in ranges: [ClosedRange<Int64>]) throws -> Bool? {
        guard phase >= .head(of: side), let length = try subject.declaredLength(side) else { return nil }
        return ranges.contains { $0.contains(length) }
    }
}

extension FilterCondition {
    /// Its tests, in order.
    var tests: [FilterTest] {
        switch self {
        case .test(let test): [test]
        case .not(let part): part.tests
        case .all(let parts), .any(let parts): parts.flatMap(\.tests)
        }
    }

    /// The same condition, in which tests that look into a body stand behind those that do not: a body is not decoded where the others decide.
    fileprivate var withBodiesLast: FilterCondition {
        switch self {
        case .test: self
        case .not(let part): .not(part.withBodiesLast)
        case .all(let parts): .all(FilterCondition.bodiesLast(parts))
        case .any(let parts): .any(FilterCondition.bodiesLast(parts))
        }
    }

    private static func bodiesLast(_ parts: [FilterCondition]) -> [FilterCondition] {
        let parts = parts.map(\.withBodiesLast)
        let isOfBody = parts.map { $0.tests.contains(where: \.looksIntoBody) }
        return zip(parts, isOfBody).filter { !$1 }.map(\.0) + zip(parts, isOfBody).filter { $1 }.map(\.0)
    }
}

extension FilterTerm {
    /// Where it begins in the query text, in characters from 1.
    fileprivate func column(in text: String) -> Int {
        text.utf16.index(text.startIndex, offsetBy: range.lowerBound, limitedBy: text.endIndex)
            .map { text.distance(from: text.startIndex, to: $0) + 1 } ?? 1
    }
}
