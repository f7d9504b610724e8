import Store
import Synchronization
import Traffic

/// The latest changes of the store, numbered: every live connection reads on from its own position, and one that broke off from its last.
///
/// The log follows the store from the first live connection on.
final class ChangeLog: Sendable {
    /// Changes that are kept, each of some 500 bytes; a connection that is further behind has to list again.
    static let limit = 4_096
    /// Bytes of those changes: a target may be as long as a head, and in an archive longer.
    static let limitBytes = 8 << 20
    /// Exchanges that one event carries; beyond this the page is told to ask again, because a page cannot show more anyway.
    static let eventLimit = 1_000
    /// Bytes of the exchanges that one event carries.
    static let eventLimitBytes = 4 << 20

    /// The news of one event.
    struct Contents: Sendable {
        /// Exchanges in the order of their first change, each as it is now.
        var exchanges: [ExchangeSummary] = []
        /// Too much changed to name it all, or the log no longer holds it.
        var needsResync = false
        /// The number of the last change in the news.
        var position: Int64
    }

    private struct State {
        /// The last changes; the number of the last is `position`.
        var kept: [ExchangeSummary] = []
        /// Bytes of the changes that are kept.
        var keptBytes = 0
        /// Changes so far.
        var position: Int64 = 0
        /// The position below which changes are forgotten: a connection that was told less misses something.
        var floor: Int64 = 0
        /// A waker for each live connection.
        var followers: [UInt64: LiveFeed.Wakes] = [:]
        var lastFollower: UInt64 = 0
        var isFollowing = false
        var isOver = false
    }

    private let store: TrafficStore
    /// The name of this start's numbers, so that those of an earlier start are not taken for them.
    private let start = String(UInt32.random(in: 0...UInt32.max), radix: 16)
    private let state = Mutex(State())
    private let streams: AsyncStream<AsyncStream<StoreChange>>
    private let begin: AsyncStream<AsyncStream<StoreChange>>.Continuation

    init(_ store: TrafficStore) {
        self.store = store
        (streams, begin) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Follows the store from the first live connection on, until the store closes or the task is cancelled.
    func run() async {
        for await stream in streams {
            for await change in stream { add(change) }
            break
        }
        let followers = state.withLock { state in
            state.isOver = true
            return Array(state.followers.values)
        }
        for wakes in followers { wakes.finish() }
    }

    /// Notes a change of the store.
    func add(_ change: StoreChange) {
        let followers = state.withLock { state in
            switch change {
            case .resync:
                state.position += 1
                state.floor = state.position
                (state.kept, state.keptBytes) = ([], 0)
            case .changed(let summaries):
                state.position += Int64(summaries.count)
                state.kept += summaries
                state.keptBytes += summaries.bytes
                ChangeLog.trim(&state)
            }
            return Array(state.followers.values)
        }
        for wakes in followers { wakes.wake() }
    }

    /// Forgets the oldest changes where there are too many: more than one at a time, so that what stays is not moved for each.
    private static func trim(_ state: inout State) {
        var surplus = state.kept.count > limit ? state.kept.count - limit * 3 / 4 : 0
        var bytes = state.keptBytes - state.kept.prefix(surplus).bytes
        if bytes > limitBytes {
            while bytes > limitBytes * 3 / 4, surplus < state.kept.count {
                bytes -= state.kept[surplus].bytes
                surplus += 1
            }
        }
        guard surplus > 0 else { return }
        state.kept.removeFirst(surplus)
        state.keptBytes = bytes
        state.floor = state.position - Int64(state.kept.count)
    }

    /// Registers a waker that is called at every change from now on.
    ///
    /// - Returns: the number to `leave` by, and the number of the last change.
    func follow(_ wakes: LiveFeed.Wakes) -> (follower: UInt64, position: Int64) {
        state.withLock { state in
            if !state.isFollowing { begin.yield(store.changes()) }
            state.isFollowing = true
            if state.isOver { wakes.finish() }
            state.lastFollower += 1
            state.followers[state.lastFollower] = wakes
            return (state.lastFollower, state.position)
        }
    }

    /// Removes a waker.
    func leave(_ follower: UInt64) {
        state.withLock { $0.followers[follower] = nil }
    }

    /// The news after a position.
    func changes(after position: Int64) -> Contents {
        state.withLock { state in
            var contents = Contents(position: state.position)
            guard position >= state.floor, position <= state.position else {
                contents.needsResync = true
                return contents
            }
            var places: [ExchangeID: Int] = [:]
            for summary in state.kept.suffix(Int(state.position - position)) {
                if let place = places[summary.id] {
                    contents.exchanges[place] = summary
                } else {
                    places[summary.id] = contents.exchanges.count
                    contents.exchanges.append(summary)
                }
            }
            if contents.exchanges.count > ChangeLog.eventLimit || contents.exchanges.bytes > ChangeLog.eventLimitBytes {
                contents.exchanges = []
                contents.needsResync = true
            }
            return contents
        }
    }

    /// A position as the `id` of an event.
    func text(of position: Int64) -> String { "\(start)-\(position)" }

    /// The position that an event's `id` names; `nil` for an `id` of another start.
    func position(of text: String) -> Int64? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == start, let position = Int64(parts[1]), position >= 0 else { return nil }
        return position
    }
}

extension Sequence<ExchangeSummary> {
    /// Bytes that the exchanges take, near enough.
    fileprivate var bytes: Int { reduce(0) { $0 + $1.bytes } }
}

extension ExchangeSummary {
    /// Bytes of the members whose length is fixed.
    private static let evenBytes = 400

    /// Bytes that the exchange takes, near enough.
    fileprivate var bytes: Int {
        let texts = [
            method, host, target, mediaType, clientName, lens, process, session, failure?.cause.rawValue,
            failure?.message, marks.note,
        ]
        return ExchangeSummary.evenBytes + texts.reduce(0) { $0 + ($1?.utf8.count ?? 0) }
    }
}
