import Atomics

/// Counts the bytes of bodies that are kept because rules look at them, on all loops.
final class RuleBodies: Sendable {
    /// The bytes of one body that are kept at most.
    let bodyLimitBytes: Int
    /// The bytes of all bodies that are kept at most.
    private let limitBytes: Int
    private let held = ManagedAtomic<Int>(0)

    init(bodyLimitBytes: Int, limitBytes: Int) {
        self.bodyLimitBytes = bodyLimitBytes
        self.limitBytes = limitBytes
    }

    /// The bytes that are kept now.
    var heldBytes: Int { held.load(ordering: .relaxed) }

    /// Whether there is room for so many bytes more.
    func hasRoom(for count: Int) -> Bool { heldBytes + count <= limitBytes }

    /// Takes room for more bytes; returns false, and takes none, where there is none.
    func take(_ count: Int) -> Bool {
        guard held.wrappingIncrementThenLoad(by: count, ordering: .relaxed) > limitBytes else { return true }
        give(count)
        return false
    }

    /// Counts bytes that are there already.
    func add(_ count: Int) { held.wrappingIncrement(by: count, ordering: .relaxed) }

    /// Gives room back.
    func give(_ count: Int) { held.wrappingDecrement(by: count, ordering: .relaxed) }
}
