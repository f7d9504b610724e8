/// One rule as plain data: when it applies, what it does, and how often.
package struct Rule: Hashable, Sendable {
    /// The place of a rule in its file.
    package struct Place: Hashable, Sendable {
        /// The file as the user named it.
        package var path: String
        /// Line and column count from 1.
        package var line: Int
        package var column: Int

        package init(path: String, line: Int, column: Int) {
            (self.path, self.line, self.column) = (path, line, column)
        }
    }

    /// Characters of a name.
    static let nameLimit = 100

    /// The name, unique in a list.
    package var name: String
    package var place: Place
    package var condition: RuleCondition
    /// The actions: at most one of each word and side, and at most one that is final.
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

    /// Whether another rule says the same, wherever it stands and whether it is on or off; its counters then go on.
    package func isSame(as other: Rule) -> Bool {
        var other = other
        (other.place, other.isOff) = (place, isOff)
        return self == other
    }

    /// The action that answers or refuses the request; `nil` for a rule that lets it go on.
    package var final: RuleAction? { actions.first(where: \.isFinal) }

    /// Whether a fault is all that the rule does, so that it has not applied where the fault does not happen.
    var isFaultAlone: Bool {
        guard actions.count == 1, case .fault = actions[0] else { return false }
        return tags.isEmpty && !stops
    }

    /// The side on which the rule stops and tags: the side of its actions, or else of what its condition asks about.
    var markSide: MessageSide {
        if condition.asksOfResponse { return .response }
        let actsOnResponse = !actions.isEmpty && actions.allSatisfy { $0.side == .response }
        return actsOnResponse && condition.asksOfEitherSide ? .response : .request
    }

    /// Whether the rule has anything to decide on a side.
    func speaks(on side: MessageSide) -> Bool {
        actions.contains { $0.side == side } || (stops || !tags.isEmpty) && markSide == side
    }

    /// Whether the rule can end the list, or the request, on a side, so that no rule below it is decided before it.
    func decides(on side: MessageSide) -> Bool {
        stops && markSide == side || side == .request && final != nil
    }

    /// Whether the rule has nothing to do on a side where another answers.
    func isShadowed(on side: MessageSide) -> Bool {
        let own = actions.filter { $0.side == side }
        return !own.isEmpty && (final != nil || !own.contains(where: \.isPacing))
    }

    /// Whether the rule needs the request's body on a side even where its condition holds without it.
    func needsRequestBody(on side: MessageSide) -> Bool {
        actions.contains { $0.side == side && $0.needsRequestBody }
    }

    /// The rules of some names, all of them on: who names a rule wants to know what it would do.
    package static func alone(_ names: [String], of rules: [Rule]) -> [Rule] {
        let names = Set(names)
        return rules.filter { names.contains($0.name) }.map { rule in
            var rule = rule
            rule.isOff = false
            return rule
        }
    }

    /// How often it can apply at all; `nil` for ever.
    var limit: Int64? { actions.compactMap(\.limit).min() }
}
