/// One operation on a JSON text (RFC 6902 §4).
package struct JSONPatchOperation: Hashable, Sendable {
    /// What is done.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case add, remove, replace, move, copy, test

        /// Whether it has a value.
        var takesValue: Bool { [.add, .replace, .test].contains(self) }
        /// Whether it takes what stands at another place.
        var takesFrom: Bool { [.move, .copy].contains(self) }
    }

    package var kind: Kind
    /// The names and numbers on the way to the place; empty for the whole text (RFC 6901).
    package var path: [String]
    /// The place that is moved or copied.
    package var from: [String]?
    package var value: JSONTemplate?
}
