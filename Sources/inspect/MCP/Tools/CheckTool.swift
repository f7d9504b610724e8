import Lenses
import Store
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
        let chosen = CheckSelection(try context.filter(arguments.text("query"), in: store))
        var run = CheckRun(
            selects: selection.includes,
            document: nil,
            shownLimit: CheckTool.shownCount,
            lenses: .standard
        )
        try run.add(chosen, in: store)
        let value = try JSONReader.value(run.json(title: chosen.title, isStrict: false, isIndented: false))
        try context.learn(from: value, in: store)
        return value
    }
}
