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

/// What a lens may go by when it recognises an exchange, the surest first.
///
/// Every lens is asked about the host before any is asked about the heads, and so on.
package enum LensEvidence {
    /// The host is the API's own.
    case host
    /// The path, the query, the method or a field of the request or response is the API's.
    case heads
    /// The decoded beginning of a body is: the side and at most a few KiB that begin as JSON does.
    case body(MessageSide, BodyText)
    /// Nobody recognised it by anything surer, so a general lens may take it by its heads.
    case remainder
}

/// Kinds of evidence: every exchange that ends is recognised, so that a lens is asked only what it could say yes to.
package struct LensGrounds: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let host = LensGrounds(rawValue: 1)
    package static let heads = LensGrounds(rawValue: 2)
    package static let body = LensGrounds(rawValue: 4)
    package static let remainder = LensGrounds(rawValue: 8)
    package static let all: LensGrounds = [.host, .heads, .body, .remainder]
}
