/// The kinds of evidence that a lens goes by.
///
/// Every exchange that ends is put to the lenses, so each is asked only what it could say yes to.
package struct LensGrounds: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let host = LensGrounds(rawValue: 1)
    package static let heads = LensGrounds(rawValue: 2)
    package static let body = LensGrounds(rawValue: 4)
    package static let remainder = LensGrounds(rawValue: 8)
    package static let all: LensGrounds = [.host, .heads, .body, .remainder]
}
