import Atomics
import NIOConcurrencyHelpers

/// How many client connections the proxy has open, and who waits for one to close.
final class ConnectionCount: Sendable {
    private let limit: ManagedAtomic<Int>
    private let open = ManagedAtomic<Int>(0)
    private let waiting = NIOLockedValueBox<[@Sendable () -> Void]>([])

    init(limit: Int) { self.limit = ManagedAtomic(limit) }

    /// How many are open.
    var openCount: Int { open.load(ordering: .relaxed) }

    /// Allows another number; those that are open stay, and those that wait look again.
    func allow(_ count: Int) {
        limit.store(count, ordering: .releasing)
        wakeAll()
    }

    /// Counts one more connection, if there is room.
    func enter() -> Bool {
        if open.loadThenWrappingIncrement(ordering: .acquiringAndReleasing) < limit.load(ordering: .acquiring) {
            return true
        }
        open.wrappingDecrement(ordering: .acquiringAndReleasing)
        return false
    }

    /// A connection closed: whoever waits looks again.
    func leave() {
        open.wrappingDecrement(ordering: .acquiringAndReleasing)
        wakeAll()
    }

    /// Calls back after the next `leave`, on the thread that it happens on; at once when there is room again by now.
    func whenRoom(_ wake: @escaping @Sendable () -> Void) {
        waiting.withLockedValue { $0.append(wake) }
        // One may have left between the refusal and this.
        guard open.load(ordering: .acquiring) < limit.load(ordering: .acquiring) else { return }
        wakeAll()
    }

    private func wakeAll() {
        let waiting = waiting.withLockedValue { waiting in
            defer { waiting = [] }
            return waiting
        }
        for wake in waiting { wake() }
    }
}
