import Atomics
import NIOConcurrencyHelpers

/// The bytes that all loops together have handed to the record and not yet seen committed, with what the decoders of open streams hold, and who waits for
/// them to become fewer.
final class CaptureBudget: Sendable {
    private let inFlight = ManagedAtomic<Int>(0)
    /// Bytes that decoders hold: half of the limit at most, since an open stream may hold its own for an hour.
    private let decoders = ManagedAtomic<Int>(0)
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

    /// Counts bytes that a decoder holds, if there is room for them.
    func takeDecoder(_ bytes: Int) -> Bool {
        if decoders.wrappingIncrementThenLoad(by: bytes, ordering: .acquiringAndReleasing) <= limitBytes / 2 {
            return true
        }
        decoders.wrappingDecrement(by: bytes, ordering: .acquiringAndReleasing)
        return false
    }

    /// Counts bytes that a decoder gave back.
    func giveDecoder(_ bytes: Int) {
        guard bytes > 0 else { return }
        decoders.wrappingDecrement(by: bytes, ordering: .acquiringAndReleasing)
        if !isExhausted { wakeAll() }
    }

    /// The bytes that are on their way.
    var heldBytes: Int { inFlight.load(ordering: .relaxed) }

    /// The bytes that decoders hold.
    var decoderBytes: Int { decoders.load(ordering: .relaxed) }

    /// Whether reading should pause.
    var isExhausted: Bool {
        inFlight.load(ordering: .acquiring) + decoders.load(ordering: .acquiring) >= limitBytes
    }

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
