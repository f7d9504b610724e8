import Foundation
import Hummingbird
import Store
import Traffic

/// The way to the store from an async caller.
struct StoreDoor: Sendable {
    let store: TrafficStore
    /// The time that ages in queries count back from, and that a wait is measured by.
    let clock: TimeSource
    /// The time after a request in which an end of the client's side may mean that the client waits for the answer.
    let halfCloseTime: Duration
    /// How long a read goes on for a client that may wait for the answer.
    let waitTime: Duration
    /// How long an answer that is streamed waits for its asker to take more.
    let stallTime: Duration
    /// The turns of reads: so many at once, each of which may hold a body and what is made of it.
    private let reads = TaskQueue(width: 16, limit: .max)
    /// The turns of answers that are streamed, each of which waits for its asker: so none of them takes the turn of a read.
    private let streams = TaskQueue(width: 32, limit: .max)
    /// A thread for each that has its turn.
    private let threads = BlockingThreads(limit: 48)

    init(
        _ store: TrafficStore,
        clock: TimeSource = TimeSource(),
        halfCloseTime: Duration = .seconds(1),
        waitTime: Duration = .seconds(60),
        stallTime: Duration = .seconds(300)
    ) {
        (self.store, self.clock) = (store, clock)
        (self.halfCloseTime, self.waitTime, self.stallTime) = (halfCloseTime, waitTime, stallTime)
    }

    /// The time of day.
    var now: Date { clock.date }

    /// The query of a request's address, with saved searches in its `q` replaced by what they stand for.
    ///
    /// - Throws: `FilterError` for a name that is not saved, `StoreError`.
    func items(of request: Request) async throws -> QueryItems {
        let items = QueryItems(request.uri.query ?? "")
        guard items.first("q")?.contains("@") == true else { return items }
        return try await read { store in try items.mapping("q", store.expanded) }
    }

    /// Runs a read and returns its result; a read of many exchanges ends when the caller is cancelled, and one that waits for its turn does not begin.
    ///
    /// - Parameters:
    ///   - isStreamed: whether the read waits for an asker to take what it writes.
    ///   - body: the read.
    /// - Returns: what the read returns.
    /// - Throws: what the read throws; `CancellationError`.
    func read<Value: Sendable>(
        isStreamed: Bool = false,
        _ body: @escaping @Sendable (TrafficStore) throws -> Value
    ) async throws -> Value {
        try await (isStreamed ? streams : reads).run { try await readAtOnce(body) }
    }

    /// Runs a read without a turn, also for a caller that is cancelled: the short end of what has begun.
    ///
    /// - Throws: what the read throws.
    func readAtOnce<Value: Sendable>(_ body: @escaping @Sendable (TrafficStore) throws -> Value) async throws -> Value {
        try await withThrowingTaskGroup(of: Value.self) { group in
            group.addTask(executorPreference: threads) { [store] in try body(store) }
            guard let value = try await group.next() else { throw CancellationError() }
            return value
        }
    }
}
