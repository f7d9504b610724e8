import Atomics

/// The bytes that all loops together have handed to the record and not yet seen committed.
final class CaptureBudget: Sendable {
    private let inFlight = ManagedAtomic<Int>(0)
    let limitBytes: Int

    init(limitBytes: Int) { self.limitBytes = limitBytes }

    /// Counts bytes that are handed over.
    func take(_ bytes: Int) { inFlight.wrappingIncrement(by: bytes, ordering: .relaxed) }

    /// Counts bytes that were committed, or given up.
    func give(_ bytes: Int) { inFlight.wrappingDecrement(by: bytes, ordering: .relaxed) }

    /// The bytes that are on their way.
    var heldBytes: Int { inFlight.load(ordering: .relaxed) }

    /// Whether reading should pause.
    var isExhausted: Bool { inFlight.load(ordering: .relaxed) >= limitBytes }
}
