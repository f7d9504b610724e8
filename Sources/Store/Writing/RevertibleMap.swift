/// A dictionary whose changes can be taken back, as a transaction takes back changes of the store.
struct RevertibleMap<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private var values: [Key: Value] = [:]
    /// The earlier values of the changed keys, `nil` for new keys; bounded by the changes of one transaction.
    private var before: [Key: Value?] = [:]

    /// Whether there is no key.
    var isEmpty: Bool { values.isEmpty }

    /// The values of all keys, in no order.
    var all: Dictionary<Key, Value>.Values { values.values }

    /// The value of a key.
    subscript(key: Key) -> Value? {
        get { values[key] }
        set {
            note(key)
            values[key] = newValue
        }
    }

    /// Changes the value of a key in place, so that a large value is copied once a transaction and not at each change.
    ///
    /// - Returns: what `body` returns; `nil` where there is no value.
    mutating func change<Result>(_ key: Key, _ body: (inout Value) throws -> Result) rethrows -> Result? {
        note(key)
        guard var value = values.removeValue(forKey: key) else { return nil }
        defer { values[key] = value }
        return try body(&value)
    }

    /// Changes every value, for good once `keep` is called.
    mutating func changeAll(_ body: (inout Value) -> Void) {
        for key in Array(values.keys) { change(key) { body(&$0) } }
    }

    private mutating func note(_ key: Key) {
        if !before.keys.contains(key) { before.updateValue(values[key], forKey: key) }
    }

    /// Makes the changes so far final.
    mutating func keep() {
        if !before.isEmpty { before = [:] }
    }

    /// Takes back the changes that are not final.
    mutating func revert() {
        for (key, value) in before { values[key] = value }
        before = [:]
    }
}
