import Traffic

/// `rules_try`: what rules would have done to recorded exchanges.
///
/// It reads no file that a rule of the agent's names, and looks at exchanges as the agent sees them: what a rule selects, and how often, tells nothing
/// of a masked secret.
struct RulesTryTool: MCPTool {
    /// Rows unless given.
    private static let usualRows = 20
    /// What messages call the agent's text.
    private static let textName = "yaml"

    let name = "rules_try"
    let summary =
        "Says what rules would have done to the recorded exchanges that a query selects; nothing is changed and nothing is sent. The rules are yours, as YAML, or those of the running proxy's files, where a rule may be off that 'rules' has on. What these replace in bodies is <hidden> while secrets are masked."
    let parameters = [
        MCPParameter(
            textName,
            .text,
            "A rules file: 'rules:' with a list of rules, each with 'name', 'when' (a query) and what it does (request, response, respond, send, block, delay, …). The rules of the running proxy's files where it is left out."
        ),
        MCPParameter(
            "names",
            .texts(50),
            "Only the rules of these names, even where they are off. All that their text has on unless given."
        ),
        MCPParameter.query,
        MCPParameter.limit,
    ]

    /// Where the running proxy's rules are.
    var places: @Sendable (StoreOptions) throws -> [String] = { try RulePlaces.usual($0) }

    func call(_ arguments: MCPArguments, _ context: MCPContext) async throws -> JSONValue {
        let rules = try rules(arguments, context)
        let store = try context.store.openForReading()
        let view = context.view(store)
        var run = RuleTrialRun(rules, rowLimit: arguments.whole("limit").map { Int($0) } ?? Self.usualRows)
        let ids = try view.ids(context.filter(arguments.text("query"), in: store))
        try view.learn(ids)
        for id in ids {
            guard let exchange = try view.learned(id) else { continue }
            try run.add(exchange)
        }
        // A secret in the pattern of a rule that is not the agent's is not recognised where its signs are escaped.
        let isTold = arguments.text(Self.textName) != nil || !context.isMasked
        let hidden = isTold ? [] : Set(rules.filter(\.namesPatterns).map(\.name))
        let report = RulesTryReport(run: run, hidden: hidden, hidesQuotes: !isTold)
        return try JSONReader.value(JSONWriter.bytes { report.write(to: &$0) })
    }

    /// The rules to try.
    ///
    /// - Throws: `InputError` where there is none, or something is wrong with them.
    private func rules(_ arguments: MCPArguments, _ context: MCPContext) throws -> [Rule] {
        let all = try arguments.text(Self.textName).map(Self.own) ?? running(context)
        let names = arguments.texts("names")
        if let stranger = names.first(where: { name in !all.contains { $0.name == name } }) {
            throw InputError("there is no rule '\(stranger)'; there are \(all.map(\.name).joined(separator: ", "))")
        }
        let chosen = names.isEmpty ? all : Rule.alone(names, of: all)
        guard !chosen.isEmpty else {
            throw InputError("there are no rules to try; give '\(Self.textName)', a text that begins with 'rules:'")
        }
        return chosen
    }

    /// The rules of the agent's text, whose mistakes are told in its own words.
    private static func own(_ text: String) throws -> [Rule] {
        do {
            return try RuleFiles.rules(of: text, named: textName)
        } catch let refusal as RuleFiles.Refusal {
            throw InputError(refusal.description)
        }
    }

    /// The rules of the running proxy; what is wrong with its files may quote them, and is not the agent's to see.
    private func running(_ context: MCPContext) throws -> [Rule] {
        do {
            return try RuleFiles.rules(at: try places(context.store))
        } catch let refusal as RuleFiles.Refusal {
            let count = refusal.problems.count.counted("mistake")
            throw InputError("the rules files of the proxy have \(count), which 'inspect rules check' names")
        }
    }
}

extension Rule {
    /// Whether the record of what it did names a text that it replaces, or a pattern.
    fileprivate var namesPatterns: Bool {
        actions.contains { action in
            switch action {
            case .request(let edit), .response(let edit): !edit.body.replace.isEmpty
            default: false
            }
        }
    }
}
