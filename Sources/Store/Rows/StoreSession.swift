/// A named stretch of recording.
package struct StoreSession: Hashable, Sendable {
    package var name: String
    /// When it began: microseconds since 1970.
    package var started: Int64
    /// How many of its exchanges are in the store.
    package var count: Int

    package init(name: String, started: Int64, count: Int) {
        (self.name, self.started, self.count) = (name, started, count)
    }
}
