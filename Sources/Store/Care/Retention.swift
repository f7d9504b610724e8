import Dispatch
import Foundation
import Synchronization

/// Deletes what a store's policy does not keep, in the background: in small transactions, with the capture's between them.
final class Retention: Sendable {
    private let queue = DispatchQueue(label: "inspect.store.retention", qos: .utility)
    private let interval: Double
    private let isStopped = Mutex(false)
    /// Deletes some exchanges; returns whether there may be more to delete.
    private let pass: @Sendable () throws -> Bool

    /// Begins at once.
    init(every interval: Duration, pass: @escaping @Sendable () throws -> Bool) {
        self.interval = interval / .seconds(1)
        self.pass = pass
        queue.async { [weak self] in self?.run() }
    }

    /// Ends after the transaction that runs; none follows the return.
    func stop() {
        isStopped.withLock { $0 = true }
        queue.sync {}
    }

    private func run() {
        // A pass that fails, on a full disk say, is tried again at the next round; nothing was changed.
        while !isStopped.withLock({ $0 }), (try? pass()) == true {}
        guard !isStopped.withLock({ $0 }) else { return }
        queue.asyncAfter(deadline: .now() + interval) { [weak self] in self?.run() }
    }
}
