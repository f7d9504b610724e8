/// A dictionary of the first `limit` keys: past the limit, the newest key is removed.
///
/// It serves keys that are visited in order again and again: if the oldest were removed, each key would be missing at its turn.
struct StayingMap<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// The greatest number of keys.
    private let limit: Int
    private var values: [Key: Value] = [:]
    private var last: Key?

    init(limit: Int) { self.limit = limit }

    /// The value of a key, if it is kept.
    subscript(key: Key) -> Value? { values[key] }

    /// Keeps a value under a key.
    mutating func insert(_ value: Value, for key: Key) {
        guard values.updateValue(value, forKey: key) == nil else { return }
        if values.count > limit, let last { values[last] = nil }
        last = key
    }

    /// Removes the keys for which a condition does not hold.
    mutating func keep(where isMeant: (Key) -> Bool) { values = values.filter { isMeant($0.key) } }
}
