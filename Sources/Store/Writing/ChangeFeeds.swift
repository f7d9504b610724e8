import Synchronization
import Traffic

/// The followers of a store.
final class ChangeFeeds: Sendable {
    private struct WeakFeed {
        weak var feed: ChangeFeed?
    }

    private let feeds = Mutex<[WeakFeed]>([])

    /// Whether anyone follows.
    var isEmpty: Bool { feeds.withLock { $0.isEmpty } }

    /// A stream of what is written from now on, until the reader goes away or the store closes.
    func follow() -> AsyncStream<StoreChange> {
        let feed = ChangeFeed()
        feeds.withLock { $0.append(WeakFeed(feed: feed)) }
        return AsyncStream(unfolding: { await feed.next() })
    }

    /// Tells every follower; those that went away are forgotten.
    func send(_ summaries: [ExchangeSummary]) {
        guard !summaries.isEmpty else { return }
        for feed in present() { feed.send(summaries) }
    }

    /// Tells every follower to list again.
    func resync() {
        for feed in present() { feed.resync() }
    }

    /// Ends every stream.
    func finish() {
        for feed in present() { feed.finish() }
        feeds.withLock { $0 = [] }
    }

    private func present() -> [ChangeFeed] {
        feeds.withLock { feeds in
            feeds.removeAll { $0.feed == nil }
            return feeds.compactMap(\.feed)
        }
    }
}
