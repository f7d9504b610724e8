/// Chains of the strings and numbers of a JSON text that no name has been found for yet.
///
/// Two chains are joined without a look at their values, and the room of a value that no longer waits is used again.
struct WaitingValues {
    /// A string or number.
    struct Value {
        let range: Range<Int>
        /// Whether it is a number, which a placeholder can only replace in quotation marks.
        let isNumber: Bool
        /// Whether it stands somewhere in the value of a name, and whether it has a name of its own there.
        var isInner = false
        var hasName = false
    }

    /// Values one after the other, by their places; -1 for none.
    struct Chain {
        fileprivate var first: Int32 = -1
        fileprivate var last: Int32 = -1

        init() {}

        fileprivate init(_ place: Int32) { (first, last) = (place, place) }
    }

    /// A value, and the place of the next value in its chain.
    private struct Place {
        let value: Value
        var next: Int32 = -1
    }

    /// The most values that wait at the same time.
    private let limit: Int
    private var places: [Place] = []
    private var free = Chain()

    init(limit: Int) { self.limit = limit }

    /// Adds a value at the end of a chain; `false` where there is no room.
    mutating func append(_ value: Value, to chain: inout Chain) -> Bool {
        let place = free.first
        if place >= 0 {
            free.first = places[Int(place)].next
            if free.first < 0 { free.last = -1 }
            places[Int(place)] = Place(value: value)
            chain = joined(chain, Chain(place))
            return true
        }
        guard places.count < limit else { return false }
        places.append(Place(value: value))
        chain = joined(chain, Chain(Int32(places.count - 1)))
        return true
    }

    /// Takes the first value of a chain out of it; `nil` where none is left.
    mutating func removeFirst(of chain: inout Chain) -> Value? {
        let place = chain.first
        guard place >= 0 else { return nil }
        chain.first = places[Int(place)].next
        if chain.first < 0 { chain.last = -1 }
        places[Int(place)].next = -1
        remove(Chain(place))
        return places[Int(place)].value
    }

    /// Takes all values of a chain out of it.
    mutating func remove(_ chain: Chain) { free = joined(free, chain) }

    /// Joins two chains; neither may be used afterwards.
    mutating func joined(_ one: Chain, _ other: Chain) -> Chain {
        guard one.last >= 0 else { return other }
        guard other.first >= 0 else { return one }
        places[Int(one.last)].next = other.first
        var whole = one
        whole.last = other.last
        return whole
    }
}
