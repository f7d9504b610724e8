import Foundation
import Traffic

/// `rules`: the rules that change traffic in the running proxy.
struct RulesTool: MCPTool {
    let name = "rules"
    let summary =
        "Lists the rules by which the running proxy changes, answers, delays or breaks traffic, each with whether it is on and how often it applied."
    let parameters: [MCPParameter] = []

    func call(_ arguments: MCPArguments, _ context: MCPContext) async throws -> JSONValue {
        let report = RulesListReport(
            list: try await RunningRuleList(context.store).list(),
            now: Moment.microseconds(Date())
        )
        return try JSONReader.value(JSONWriter.bytes { report.write(to: &$0) })
    }
}
