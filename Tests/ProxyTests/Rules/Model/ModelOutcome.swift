@testable import Traffic

/// What became of an exchange: what is recorded of the rules, and what each end got.
struct ModelOutcome: Equatable {
    /// How it ended for the client.
    enum Ending: CaseIterable { case untouched, changed, answered, refused, closed, reset }

    /// A request that an origin got.
    struct Sent: Equatable, Sendable {
        /// Whether it came to the origin to which rules send requests.
        var isElsewhere: Bool
        /// The bytes of the head.
        var head: String
        /// The body, without its framing.
        var content: String
    }

    var ending = Ending.untouched
    /// The record of the rules that applied, in order, each with its action: `r1 request`, `r2 response skipped`.
    var uses: [String] = []
    /// The requests that origins got.
    var sent: [Sent] = []
    /// The bytes of the head that the client got; of a refusal the field that names its rule; empty where nothing came.
    var head = ""
    /// The body that the client got, without its framing.
    var content = ""

    /// The words for a record of rules.
    ///
    /// A rule in whose way another stands is left out: one whose condition asks for the body is named only where the body was waited for.
    static func words(_ uses: [RuleUse]) -> [String] {
        uses.filter { $0.note?.hasPrefix("shadowed by ") != true }.map { use in
            // Why one was skipped is no concern of the model.
            let note = use.note.map { $0.hasPrefix("skipped: ") ? " skipped" : " \($0)" } ?? ""
            return "\(use.rule) \(use.action)\(note)"
        }
    }
}
