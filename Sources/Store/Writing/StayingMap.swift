/// A dictionary of the first `limit` keys: past the limit the key that came last goes.
///
/// For what is gone through in order again and again: were the oldest key to go, each would be gone again when its turn comes.
struct StayingMap<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// The greatest number of keys.
    private let limit: Int
    private var values: [Key: Value] = [:]
    private var last: Key?

    init(limit: Int) { self.limit = limit }

    /// The value of a key, if it is kept.
    subscript(key: Key) -> Value? { values[key] }

    /// Whether another key would take the place of one.
    var isFull: Bool { values.count >= limit }

    /// Keeps a value under a key.
    mutating func insert(_ value: Value, for key: Key) {
        guard values.updateValue(value, forKey: key) == nil else { return }
        if values.count > limit, let last { values[last] = nil }
        last = key
    }

    /// Forgets the keys that are not meant.
    mutating func keep(where isMeant: (Key) -> Bool) { values = values.filter { isMeant($0.key) } }
}
