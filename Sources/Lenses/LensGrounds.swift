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
