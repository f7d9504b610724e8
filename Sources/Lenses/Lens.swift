package import Traffic

/// A reader of the exchanges of one API: recognises, shows, checks and compares them.
///
/// A lens is one type in a file of its own, whose name ends in `Lens.swift`; the build lists these files. The lenses in the folder General are asked
/// after the others. A lens reads what anybody may have sent: it says in words that a body is not as it expects, and never traps.
package protocol Lens: Sendable {
    /// The value of the `lens` facet, one lower-case word that no other lens has.
    var name: String { get }
    /// The name that people see.
    var title: String { get }
    /// The rules that it checks.
    var rules: [CheckRule] { get }

    /// The kinds of evidence that it goes by; it is asked for no other.
    var grounds: LensGrounds { get }

    /// Whether the lens reads an exchange, judged by one piece of evidence.
    func recognizes(_ exchange: ExchangeOutline, by evidence: LensEvidence) -> Bool

    /// The app that sent an exchange; `nil` where the exchange does not tell.
    func client(of exchange: ExchangeOutline) -> String?

    /// Shows an exchange in words and tables.
    func view(_ capture: Capture) -> LensView

    /// Finds what in an exchange breaks the lens's rules.
    func findings(_ capture: Capture) -> [CheckFinding]

    /// Says, a sentence each, which parts of an exchange are too much to be held to the rules.
    func unchecked(_ capture: Capture) -> [String]

    /// Says, a sentence each, what changed between two captures of the same endpoint, the older capture first.
    func changes(from before: Capture, to after: Capture) -> [String]
}

extension Lens {
    package var rules: [CheckRule] { [] }
    package var grounds: LensGrounds { .all }
    package func client(of exchange: ExchangeOutline) -> String? { nil }
    package func findings(_ capture: Capture) -> [CheckFinding] { [] }
    package func unchecked(_ capture: Capture) -> [String] { [] }
    package func changes(from before: Capture, to after: Capture) -> [String] { [] }
}
