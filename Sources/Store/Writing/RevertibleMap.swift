/// A dictionary whose changes can be taken back, as a transaction takes back those of the store.
struct RevertibleMap<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private var values: [Key: Value] = [:]
    /// What the keys that were changed had before, none for `nil`; bounded by the changes of one transaction.
    private var before: [Key: Value?] = [:]

    /// Whether there is no key.
    var isEmpty: Bool { values.isEmpty }

    /// The value of a key.
    subscript(key: Key) -> Value? {
        get { values[key] }
        set {
            note(key)
            values[key] = newValue
        }
    }

    /// Changes the value of a key where it lies, so that a large one is copied once for what can be taken back, and not at each change.
    ///
    /// - Returns: what `body` returns; `nil` where there is no value.
    mutating func change<Result>(_ key: Key, _ body: (inout Value) throws -> Result) rethrows -> Result? {
        note(key)
        guard var value = values.removeValue(forKey: key) else { return nil }
        defer { values[key] = value }
        return try body(&value)
    }

    private mutating func note(_ key: Key) {
        if !before.keys.contains(key) { before.updateValue(values[key], forKey: key) }
    }

    /// Makes the changes so far the ones that stay.
    mutating func keep() {
        if !before.isEmpty { before = [:] }
    }

    /// Takes back the changes since the last that stay.
    mutating func revert() {
        for (key, value) in before { values[key] = value }
        before = [:]
    }
}
