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
            if !before.keys.contains(key) { before.updateValue(values[key], forKey: key) }
            values[key] = newValue
        }
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
