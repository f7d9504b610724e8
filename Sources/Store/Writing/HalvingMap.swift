/// A dictionary of the keys that were added last: between half of `limit` and all of it, since the older half is removed at once.
///
/// Where every exchange adds a key, removing a key for each would cost more than asking two dictionaries.
struct HalvingMap<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// The greatest number of keys.
    private let limit: Int
    private var recent: [Key: Value] = [:]
    /// The keys from before `recent` began; none is added here.
    private var older: [Key: Value] = [:]

    init(limit: Int) { self.limit = limit }

    /// The value of a key, if it is still known.
    subscript(key: Key) -> Value? { recent[key] ?? older[key] }

    /// Keeps a value under a key, and lets the older half go when there is no room.
    mutating func insert(_ value: Value, for key: Key) {
        if recent.count >= max(limit / 2, 1) {
            older = recent
            recent = [:]
        }
        recent[key] = value
    }

    /// Removes the values for which a condition holds.
    mutating func removeAll(where isMeant: (Value) -> Bool) {
        recent = recent.filter { !isMeant($0.value) }
        older = older.filter { !isMeant($0.value) }
    }

    /// Forgets everything.
    mutating func removeAll() {
        self = HalvingMap(limit: limit)
    }
}
