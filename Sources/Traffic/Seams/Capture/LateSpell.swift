/// What is new of a spell in which clients got the end of their exchanges before the record did.
///
/// A spell ends once the record takes an exchange in time. Each exchange that is counted here is in the record by now.
package struct LateSpell: Hashable, Sendable {
    /// How many exchanges were late.
    package private(set) var count: Int
    /// When the first of their clients got the end: microseconds since 1970.
    package private(set) var from: Int64
    /// When the last of their clients got the end: microseconds since 1970.
    package private(set) var to: Int64

    package init(count: Int, from: Int64, to: Int64) {
        (self.count, self.from, self.to) = (count, from, to)
    }

    /// Takes in other exchanges.
    package mutating func join(_ other: LateSpell) {
        count += other.count
        from = min(from, other.from)
        to = max(to, other.to)
    }
}
