/// A dictionary of at most `capacity` entries that forgets the entry longest unused; every step takes constant time.
struct RecentlyUsed<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// An entry, and its neighbours in the order of use, as indices into `entries`.
    private struct Entry {
        var key: Key
        var value: Value
        var newer: Int?
        var older: Int?
    }

    let capacity: Int
    private var entries: [Entry] = []
    private var places: [Key: Int] = [:]
    private var newest: Int?
    private var oldest: Int?

    init(capacity: Int) {
        precondition(capacity > 0, "a cache must hold at least one entry")
        self.capacity = capacity
    }

    var count: Int { entries.count }

    /// The value of `key`, which becomes the most recently used.
    mutating func value(for key: Key) -> Value? {
        guard let place = places[key] else { return nil }
        unlink(place)
        linkAsNewest(place)
        return entries[place].value
    }

    /// Sets the value of `key`, which becomes the most recently used; at the limit the oldest entry's place is reused.
    mutating func insert(_ value: Value, for key: Key) {
        let place: Int
        if let known = places[key] {
            place = known
            unlink(place)
            entries[place].value = value
        } else if entries.count >= capacity, let oldest {
            place = oldest
            unlink(place)
            places[entries[place].key] = nil
            entries[place] = Entry(key: key, value: value)
            places[key] = place
        } else {
            place = entries.count
            entries.append(Entry(key: key, value: value))
            places[key] = place
        }
        linkAsNewest(place)
    }

    private mutating func unlink(_ place: Int) {
        let entry = entries[place]
        if let newer = entry.newer { entries[newer].older = entry.older } else { newest = entry.older }
        if let older = entry.older { entries[older].newer = entry.newer } else { oldest = entry.newer }
        entries[place].newer = nil
        entries[place].older = nil
    }

    private mutating func linkAsNewest(_ place: Int) {
        entries[place].older = newest
        if let newest { entries[newest].newer = place } else { oldest = place }
        newest = place
    }
}
