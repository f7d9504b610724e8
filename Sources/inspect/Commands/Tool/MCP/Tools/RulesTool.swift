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

    /// How long the recorded traffic is searched for secrets that a condition may name.
    private static let learningTime = Duration.seconds(5)
    /// Decoded bytes of a body that are searched for them: no one exchange takes much longer than all may.
    private static let searchedBytes = 4 << 20
    private static let escaping =
        "Values with escaped signs in conditions are <hidden>: a secret is not recognised in them."
    private static let hiding =
        "Values in conditions are <hidden>: not all of the recorded traffic was searched for secrets, so that one of them may be one."

    func call(_ arguments: MCPArguments, _ context: MCPContext) async throws -> JSONValue {
        var list = try await running(context.store)
        let now = Moment.microseconds(Date())
        var note: String?
        // A condition may name a secret that only an exchange tells to be one.
        if list.rules.contains(where: { !$0.when.isEmpty }) {
            let view = context.view(
                try context.store.openForReading(),
                within: Self.learningTime,
                searchedBytes: Self.searchedBytes
            )
            // Where secrets are shown there are none to know.
            let knowsAll = try view.knowsAllSecrets()
            for index in list.rules.indices where view.isMasked && !list.rules[index].when.isEmpty {
                let when = HiddenCondition.text(of: list.rules[index].when, now: now, knowsAll: knowsAll)
                guard when != list.rules[index].when else { continue }
                (list.rules[index].when, note) = (when, knowsAll ? Self.escaping : Self.hiding)
            }
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
