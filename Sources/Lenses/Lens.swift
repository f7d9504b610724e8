import Traffic

/// What the exchanges of a known API mean: how they are recognised, read, checked and compared.
///
/// A lens is one type in a file of its own, named for it and ending in `Lens.swift`, and nothing else: the build lists what there is. A lens in the
/// folder General is asked after the others. It reads what anybody may have sent: a body that is not what it expects is said in words, and never trapped on.
package protocol Lens: Sendable {
    /// The value of the `lens` facet, one lower-case word that no other lens has.
    var name: String { get }
    /// What people call it.
    var title: String { get }
    /// What it checks.
    var rules: [CheckRule] { get }

    /// The evidence it goes by: for any other it is not asked.
    var grounds: LensGrounds { get }

    /// Whether it reads an exchange, going by this much of what is known of it.
    func recognizes(_ exchange: ExchangeOutline, by evidence: LensEvidence) -> Bool

    /// The app that sends what it reads; `nil` when it does not tell.
    func client(of exchange: ExchangeOutline) -> String?

    /// The exchange in words and tables.
    func view(_ capture: Capture) -> LensView

    /// What of its rules the exchange breaks.
    func findings(_ capture: Capture) -> [CheckFinding]

    /// What of the exchange it holds to none of its rules, since that is too much, a sentence each.
    func unchecked(_ capture: Capture) -> [String]

    /// What became different between two captures of the same endpoint, a sentence each, the older capture first.
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
