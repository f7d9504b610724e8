import Atomics
import NIOConcurrencyHelpers

/// The number of client connections that the proxy has open, and the listeners that wait for one to close.
final class ConnectionCount: Sendable {
    private let limit: ManagedAtomic<Int>
    private let open = ManagedAtomic<Int>(0)
    private let waiting = NIOLockedValueBox<[@Sendable () -> Void]>([])

    init(limit: Int) { self.limit = ManagedAtomic(limit) }

    /// How many connections are open.
    var openCount: Int { open.load(ordering: .relaxed) }

    /// Changes the limit; open connections stay, and waiting listeners try again.
    func allow(_ count: Int) {
        limit.store(count, ordering: .releasing)
        wakeAll()
    }

    /// Counts one more connection, if there is room.
    ///
    /// - Returns: whether there was.
    func enter() -> Bool {
        if open.loadThenWrappingIncrement(ordering: .acquiringAndReleasing) < limit.load(ordering: .acquiring) {
            return true
        }
        open.wrappingDecrement(ordering: .acquiringAndReleasing)
        return false
    }

    /// Counts one connection less, and has the waiting listeners try again.
    func leave() {
        open.wrappingDecrement(ordering: .acquiringAndReleasing)
        wakeAll()
    }

    /// Calls back after the next `leave`, on the thread of that call; at once where there is room by now.
    func whenRoom(_ wake: @escaping @Sendable () -> Void) {
        waiting.withLockedValue { $0.append(wake) }
        // A connection may have closed between the refusal and this.
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
