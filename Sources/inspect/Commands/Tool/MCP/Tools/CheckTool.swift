import Lenses
import Traffic

/// `check`: what is wrong with the captures by the rules of their APIs.
struct CheckTool: MCPTool {
    private static let shownCount = 5

    let name = "check"
    let summary =
        "Holds the recorded exchanges that a query selects to the rules of their API, and says for each broken rule where in the body and what a client makes of it."
    let parameters = [
        MCPParameter.query,
        MCPParameter("rules", .texts(50), "Only these rules, or all that begin so: WO-3, VM. All unless given."),
    ]

    func call(_ arguments: MCPArguments, _ context: MCPContext) async throws -> JSONValue {
        let selection = RuleSelection(arguments.texts("rules"))
        if let problem = selection.problem { throw InputError("'rules': \(problem)") }
        let store = try context.store.openForReading()
        let view = context.view(store)
        let query = arguments.text("query") ?? ""
        var run = CheckRun(
            selects: selection.includes,
            document: nil,
            shownLimit: CheckTool.shownCount,
            lenses: .standard
        )
        let ids = try view.ids(context.filter(query, in: store))
        try view.learn(ids)
        for id in ids {
            guard let exchange = try view.learned(id) else { continue }
            try run.add(run.capture(exchange.record, source: exchange.source)) { earlier in
                try view.exchange(earlier).map { try Capture($0.record, source: $0.source) }
            }
        }
        // The query itself would come back masked, which tells what of it is a secret.
        let title = query.isEmpty ? "all exchanges" : "what the query selects"
        return try JSONReader.value(run.json(title: title))
    }
}
