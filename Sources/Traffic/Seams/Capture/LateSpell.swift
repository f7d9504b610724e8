/// What is new of a spell in which clients got the end of their exchanges before the record did.
///
/// A spell ends once the record takes an exchange in time. Each exchange that is counted here is in the record by now.
package struct LateSpell: Hashable, Sendable {
    /// The spell's number in this run of the proxy; a later spell has a greater number.
    package private(set) var number: Int
    /// How many exchanges were late.
    package private(set) var count: Int
    /// When the first of their clients got the end: microseconds since 1970.
    package private(set) var from: Int64
    /// When the last of their clients got the end: microseconds since 1970.
    package private(set) var to: Int64

    package init(number: Int, count: Int, from: Int64, to: Int64) {
        (self.number, self.count, self.from, self.to) = (number, count, from, to)
    }

    /// Takes in other exchanges; where they are of two spells, all count to the later one.
    package mutating func join(_ other: LateSpell) {
        number = max(number, other.number)
        count += other.count
        from = min(from, other.from)
        to = max(to, other.to)
    }
}
