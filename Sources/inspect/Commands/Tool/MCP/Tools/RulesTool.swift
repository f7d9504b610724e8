import Foundation
import Traffic

/// `rules`: the rules that change traffic in the running proxy.
struct RulesTool: MCPTool {
    let name = "rules"
    let summary =
        "Lists the rules by which the running proxy changes, answers, delays or breaks traffic, each with whether it is on and how often it applied. While secrets are masked, values in conditions that may be secrets are <hidden>."
    let parameters: [MCPParameter] = []
    /// Asks the proxy that runs on a store.
    var running: @Sendable (StoreOptions) async throws -> RunningRuleList.List = {
        try await RunningRuleList($0).list()
    }

    private static let hiding =
        "Values that may be secrets are <hidden> in conditions: what fields, bodies and messages are compared with, and in hosts and paths all but plain words."

    func call(_ arguments: MCPArguments, _ context: MCPContext) async throws -> JSONValue {
        var list = try await running(context.store)
        let now = Moment.microseconds(Date())
        var note: String?
        for index in list.rules.indices where context.isMasked && !list.rules[index].when.isEmpty {
            let when = HiddenCondition.text(of: list.rules[index].when, now: now)
            if when != list.rules[index].when { (list.rules[index].when, note) = (when, Self.hiding) }
        }
        // What is wrong with the files may quote them.
        if !list.problems.isEmpty {
            list.problems = ["\(list.problems.count.counted("mistake")), which 'inspect rules check' names"]
        }
        let report = RulesListReport(list: list, now: now)
        let value = try JSONReader.value(JSONWriter.bytes { report.write(to: &$0) })
        guard let note, case .object(let members) = value else { return value }
        return .object([("note", .string(note))] + members)
    }
}
