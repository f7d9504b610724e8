/// A ranking of a listing, other than the order of recording: `-duration` has the slowest first.
package struct ListingOrder: Hashable, Sendable {
    /// The value that exchanges are ranked by.
    package enum Key: Hashable, Sendable {
        case started, duration
        /// Bytes of the response's body, and of the request's.
        case size, reqsize
        /// A facet that has one value for each exchange.
        case facet(Facet)
    }

    /// The value to rank by; exchanges of an equal value stand newest first.
    package let key: Key
    /// Whether the greatest comes first.
    package let isFalling: Bool

    package init(_ key: Key, isFalling: Bool = false) { (self.key, self.isFalling) = (key, isFalling) }

    /// Reads `duration` or `-duration`; `nil` when it names nothing that ranks.
    package init?(_ text: String) {
        let isFalling = text.hasPrefix("-")
        let name = isFalling ? String(text.dropFirst()) : text
        guard let key = ListingOrder.keys.first(where: { $0.name == name })?.key else { return nil }
        self.init(key, isFalling: isFalling)
    }

    /// What can be asked for, each also with a minus before it.
    package static var names: [String] { keys.map(\.name) }

    private static let keys: [(name: String, key: Key)] =
        [("started", .started), ("duration", .duration), ("size", .size), ("reqsize", .reqsize)]
        + Facet.all.filter { !$0.isList }.map { ($0.name, .facet($0)) }
}
