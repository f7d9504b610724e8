import Atomics
import NIOConcurrencyHelpers

/// The bytes that all loops together have handed to the record and not yet seen committed, and who waits for them to become fewer.
final class CaptureBudget: Sendable {
    private let inFlight = ManagedAtomic<Int>(0)
    /// At most one for each loop and each listener.
    private let waiting = NIOLockedValueBox<[@Sendable () -> Void]>([])
    let limitBytes: Int

    init(limitBytes: Int) { self.limitBytes = limitBytes }

    /// Counts bytes that are handed over.
    func take(_ bytes: Int) { inFlight.wrappingIncrement(by: bytes, ordering: .relaxed) }

    /// Counts bytes that were committed, or given up; whoever waits looks again when there is room.
    func give(_ bytes: Int) {
        inFlight.wrappingDecrement(by: bytes, ordering: .acquiringAndReleasing)
        if !isExhausted { wakeAll() }
    }

    /// The bytes that are on their way.
    var heldBytes: Int { inFlight.load(ordering: .relaxed) }

    /// Whether reading should pause.
    var isExhausted: Bool { inFlight.load(ordering: .acquiring) >= limitBytes }

    /// Calls back once there is room again, on the thread that it happens on; at once when there is room by now.
    ///
    /// The bytes may be those of another loop, which commits at its own time: its commit has to wake every loop that waits.
    func whenRoom(_ wake: @escaping @Sendable () -> Void) {
        waiting.withLockedValue { $0.append(wake) }
        // There may have been room between the look and this.
        if !isExhausted { wakeAll() }
    }

    private func wakeAll() {
        let waiting = waiting.withLockedValue { waiting in
            guard !waiting.isEmpty else { return waiting }
            defer { waiting = [] }
            return waiting
        }
        for wake in waiting { wake() }
    }
}
