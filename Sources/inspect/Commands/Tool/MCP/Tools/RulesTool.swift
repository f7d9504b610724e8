import Foundation
import Traffic

/// `rules`: the rules that change traffic in the running proxy.
struct RulesTool: MCPTool {
    let name = "rules"
    let summary =
        "Lists the rules by which the running proxy changes, answers, delays or breaks traffic, each with whether it is on and how often it applied."
    let parameters: [MCPParameter] = []
    /// Asks the proxy that runs on a store.
    var running: @Sendable (StoreOptions) async throws -> RunningRuleList.List = {
        try await RunningRuleList($0).list()
    }

    func call(_ arguments: MCPArguments, _ context: MCPContext) async throws -> JSONValue {
        var list = try await running(context.store)
        // A condition may name a secret that only an exchange tells to be one.
        if list.rules.contains(where: { !$0.when.isEmpty }) {
            try context.view(try context.store.openForReading()).learnNewest()
        }
        // What is wrong with the files may quote them.
        if !list.problems.isEmpty {
            list.problems = ["\(list.problems.count.counted("mistake")), which 'inspect rules check' names"]
        }
        let report = RulesListReport(list: list, now: Moment.microseconds(Date()))
        return try JSONReader.value(JSONWriter.bytes { report.write(to: &$0) })
    }
}
