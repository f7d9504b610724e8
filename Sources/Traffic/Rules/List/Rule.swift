/// One rule as plain data: when it applies, what it does, and how often.
package struct Rule: Hashable, Sendable {
    /// Where a rule stands.
    package struct Place: Hashable, Sendable {
        /// The file as the user named it.
        package var path: String
        /// Both from 1.
        package var line: Int
        package var column: Int

        package init(path: String, line: Int, column: Int) {
            (self.path, self.line, self.column) = (path, line, column)
        }
    }

    /// Characters of a name.
    static let nameLimit = 100

    /// Unique in a list.
    package var name: String
    package var place: Place
    package var condition: RuleCondition
    /// At most one of a word, and at most one that is final.
    package var actions: [RuleAction]
    package var limits = RuleLimits()
    /// Tags that the exchange gets.
    package var tags: [String] = []
    /// Whether no rule below it applies to the exchange.
    package var stops = false
    package var isOff = false
    package var group: String?
    package var note: String?

    package init(name: String, place: Place, condition: RuleCondition = .always, actions: [RuleAction] = []) {
        (self.name, self.place, self.condition, self.actions) = (name, place, condition, actions)
        limits.seed = RuleLimits.seed(of: name)
    }

    /// Whether another says the same, wherever it stands and whether it is on or off: its counters go on.
    package func isSame(as other: Rule) -> Bool {
        var other = other
        (other.place, other.isOff) = (place, isOff)
        return self == other
    }

    /// The answer or the refusal; `nil` for a rule that lets the request go on.
    package var final: RuleAction? { actions.first(where: \.isFinal) }

    /// The side on which it stops and tags: that of its only actions, or of what its condition asks.
    var markSide: MessageSide {
        if condition.asksOfResponse { return .response }
        let actsOnResponse = !actions.isEmpty && actions.allSatisfy { $0.side == .response }
        return actsOnResponse && condition.asksOfEitherSide ? .response : .request
    }

    /// Whether something of the rule is decided on a side.
    func speaks(on side: MessageSide) -> Bool {
        actions.contains { $0.side == side } || (stops || !tags.isEmpty) && markSide == side
    }

    /// Whether the rule can end the list, or the request, on a side, so that no rule below it is decided before it.
    func decides(on side: MessageSide) -> Bool {
        stops && markSide == side || side == .request && final != nil
    }

    /// Whether the request's body has to be there before the rule is done on a side, though its condition holds.
    func needsRequestBody(on side: MessageSide) -> Bool {
        actions.contains { $0.side == side && $0.needsRequestBody }
    }

    /// How often it can apply at all; `nil` for ever.
    var limit: Int64? { actions.compactMap(\.limit).min() }
}
