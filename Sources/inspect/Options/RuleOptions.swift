import ArgumentParser
import Foundation
import Lenses
import Traffic

/// `--rule`: which rules captures are held to.
struct RuleOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Only these rules, or all that begin so: WO-3,VM,OA-schema; may be repeated.",
            valueName: "rules"
        )
    )
    var rule: [String] = []

    /// Every rule that there is.
    static let known: [CheckRule] = LensSet.standard.lenses.flatMap(\.rules) + OpenAPIRules.all

    mutating func validate() throws {
        for name in names where !RuleOptions.known.contains(where: { RuleOptions.selects(name, $0.id) }) {
            let guess =
                EditDistance.nearest(to: name, in: RuleOptions.known.map(\.id)).map { "; did you mean \($0)?" } ?? ""
            throw ValidationError("--rule: there is no rule \(name)\(guess)")
        }
    }

    /// Whether a rule was asked for.
    func select(_ id: String) -> Bool {
        let names = names
        return names.isEmpty || names.contains { RuleOptions.selects($0, id) }
    }

    private var names: [String] { rule.flatMap { $0.split(separator: ",").map(String.init) } }

    private static func selects(_ name: String, _ id: String) -> Bool {
        let (name, id) = (name.lowercased(), id.lowercased())
        return id == name || id.hasPrefix(name.hasSuffix("-") ? name : name + "-")
    }
}
