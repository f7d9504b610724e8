import Traffic

/// The rules that are asked for: all, or those that a list names.
package struct RuleSelection: Hashable, Sendable {
    /// Every rule of every lens, and those of documents.
    package static let known: [CheckRule] = LensSet.standard.lenses.flatMap(\.rules) + OpenAPIRules.all

    /// Names of rules, or prefixes of names up to a dash; empty for all rules.
    private let names: [String]

    /// Reads lists such as `WO-3,VM`.
    package init(_ lists: [String]) { names = lists.flatMap { $0.split(separator: ",").map(String.init) } }

    /// A sentence about the names that no rule has; `nil` where every name is a rule's.
    package var problem: String? {
        for name in names where !RuleSelection.known.contains(where: { RuleSelection.includes(name, $0.id) }) {
            let guess = EditDistance.nearest(to: name, in: RuleSelection.known.map(\.id)).map {
                "; did you mean \($0)?"
            }
            return "there is no rule \(name)\(guess ?? "")"
        }
        return nil
    }

    /// Whether a rule is asked for.
    package func includes(_ id: String) -> Bool {
        names.isEmpty || names.contains { RuleSelection.includes($0, id) }
    }

    private static func includes(_ name: String, _ id: String) -> Bool {
        let (name, id) = (name.lowercased(), id.lowercased())
        return id == name || id.hasPrefix(name.hasSuffix("-") ? name : name + "-")
    }
}
