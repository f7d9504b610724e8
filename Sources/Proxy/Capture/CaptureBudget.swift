import Atomics
import NIOConcurrencyHelpers

/// The bytes that all loops have on their way to the record, and that open streams hold, within one limit; and the callbacks that wait for room.
final class CaptureBudget: Sendable {
    /// Bytes that one client's streams may hold whatever others do, while there is room at all: the decoders of three gzip streams.
    static let leastBytes = 128 << 10

    private let inFlight = ManagedAtomic<Int>(0)
    /// Bytes that open streams hold in decoders and incomplete messages: half of the limit at most, since a stream may hold its bytes for an hour.
    private let streams = ManagedAtomic<Int>(0)
    /// The callbacks that wait for room: at most one for each loop and each listener.
    private let waiting = NIOLockedValueBox<[@Sendable () -> Void]>([])
    let limitBytes: Int

    init(limitBytes: Int) { self.limitBytes = limitBytes }

    /// Counts bytes that are handed over.
    func take(_ bytes: Int) { inFlight.wrappingIncrement(by: bytes, ordering: .relaxed) }

    /// Counts bytes that were committed, or given up, and calls those that wait where there is room.
    func give(_ bytes: Int) {
        inFlight.wrappingDecrement(by: bytes, ordering: .acquiringAndReleasing)
        if !isExhausted { wakeAll() }
    }

    /// Counts bytes that a client's stream comes to hold beside those it held, if there is room.
    ///
    /// Of three quarters of the room, a client may hold as much as it leaves free: the first client half of it, the second a quarter. The last
    /// quarter is for streams that hold little, by the same rule. So a few greedy streams leave room for any number of modest ones, even their
    /// client's own.
    ///
    /// Bytes without room are never counted: another loop that asks meanwhile would be refused because of them.
    func takeStream(from before: Int, to after: Int, of client: ClientHoldings) -> Bool {
        let (modest, greedy) = client.add(from: before, to: after)
        let room = limitBytes / 2
        var held = streams.load(ordering: .relaxed)
        while true {
            let all = held + after - before
            let isShared = after <= ClientHoldings.modestBytes ? modest <= room - all : greedy <= room / 4 * 3 - all
            guard all <= room, isShared || modest + greedy <= Self.leastBytes else { break }
            let (isTaken, now) = streams.compareExchange(expected: held, desired: all, ordering: .acquiringAndReleasing)
            if isTaken { return true }
            held = now
        }
        _ = client.add(from: after, to: before)
        return false
    }

    /// Counts bytes that a client's stream holds no longer.
    func giveStream(from before: Int, to after: Int, of client: ClientHoldings) {
        guard before > after else { return }
        _ = client.add(from: before, to: after)
        streams.wrappingDecrement(by: before - after, ordering: .acquiringAndReleasing)
        if !isExhausted { wakeAll() }
    }

    /// The bytes that are on their way to the record.
    var heldBytes: Int { inFlight.load(ordering: .relaxed) }

    /// The bytes that open streams hold.
    var streamBytes: Int { streams.load(ordering: .relaxed) }

    /// Whether reading should pause.
    var isExhausted: Bool {
        inFlight.load(ordering: .acquiring) + streams.load(ordering: .acquiring) >= limitBytes
    }

    /// Calls back once there is room again, on the thread that made it; at once where there is room by now.
    ///
    /// The bytes may be another loop's, whose commit has to wake every loop that waits.
    func whenRoom(_ wake: @escaping @Sendable () -> Void) {
        waiting.withLockedValue { $0.append(wake) }
        // Room may have come between the check and this.
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
