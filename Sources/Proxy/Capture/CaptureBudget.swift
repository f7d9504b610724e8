import Atomics
import NIOConcurrencyHelpers

/// The bytes that all loops together have handed to the record and not yet seen committed, with what open streams hold, and who waits for them to become
/// fewer.
final class CaptureBudget: Sendable {
    /// Bytes that a client's streams may hold whatever others do, as long as there is room at all: the decoders of three streams of gzip.
    static let leastBytes = 128 << 10

    private let inFlight = ManagedAtomic<Int>(0)
    /// Bytes that open streams hold, their decoders and what has come of their messages: half of the limit at most, since one may hold its own for
    /// an hour.
    private let streams = ManagedAtomic<Int>(0)
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

    /// Counts what a stream of a client comes to hold beside what it held before, if there is room for it.
    ///
    /// Of three quarters of the room a client has as much as it leaves to the others: half of it the first, a quarter the second. The last quarter is for
    /// what streams hold that hold little, of which a client has as much as it leaves as well. So a few greedy streams leave room to any number of
    /// modest ones, those of their own client among them.
    ///
    /// What there is no room for is never counted: another loop that asks meanwhile would be refused for it.
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

    /// Counts what a stream of a client holds no longer.
    func giveStream(from before: Int, to after: Int, of client: ClientHoldings) {
        guard before > after else { return }
        _ = client.add(from: before, to: after)
        streams.wrappingDecrement(by: before - after, ordering: .acquiringAndReleasing)
        if !isExhausted { wakeAll() }
    }

    /// The bytes that are on their way.
    var heldBytes: Int { inFlight.load(ordering: .relaxed) }

    /// The bytes that open streams hold.
    var streamBytes: Int { streams.load(ordering: .relaxed) }

    /// Whether reading should pause.
    var isExhausted: Bool {
        inFlight.load(ordering: .acquiring) + streams.load(ordering: .acquiring) >= limitBytes
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
