/// A dictionary of the last `limit` keys: past the limit, the oldest key is removed.
struct RecentMap<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// The greatest number of keys.
    private let limit: Int
    private var values: [Key: Value] = [:]
    private var order: [Key] = []
    private var oldest = 0

    init(limit: Int) { self.limit = limit }

    /// The value of a key, if it is still known; setting makes room when the map is full.
    subscript(key: Key) -> Value? {
        values[key]
    }

    /// Keeps a value under a key.
    mutating func insert(_ value: Value, for key: Key) {
        guard values.updateValue(value, forKey: key) == nil else { return }
        guard order.count == limit else { return order.append(key) }
        values[order[oldest]] = nil
        order[oldest] = key
        oldest = (oldest + 1) % limit
    }

    /// Forgets everything.
    mutating func removeAll() {
        self = RecentMap(limit: limit)
    }
}
