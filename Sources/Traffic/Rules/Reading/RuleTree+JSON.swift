extension RuleTree {
    /// Rules that a program wrote as JSON; they have no places.
    package init(json value: JSONValue) {
        let content: Content =
            switch value {
            case .null: .text("null", .plain)
            case .boolean(let flag): .text(String(flag), .plain)
            case .number(let number): .text(JSONPattern.Condition.text(number), .plain)
            case .string(let text): .text(text, .quoted)
            case .array(let elements): .list(elements.map { RuleTree(json: $0) })
            case .object(let members):
                .mapping(
                    members.map { Member(name: RuleTree(json: .string($0.name)), value: RuleTree(json: $0.value)) }
                )
            }
        self.init(content, line: 1, column: 1)
    }
}
