import Store
import Synchronization
import Traffic

/// What a live connection has yet to tell: the newest state of each changed exchange, up to a limit, or that too much changed.
final class PendingChanges: Sendable {
    /// Exchanges that one event carries; beyond it the page is told to ask again, because a page cannot show more anyway.
    static let limit = 1_000

    /// What there is to tell.
    struct Contents: Sendable {
        /// In the order of their first change.
        var exchanges: [ExchangeSummary] = []
        /// Too much changed to name it.
        var needsResync = false
    }

    private struct State {
        var contents = Contents()
        var positions: [ExchangeID: Int] = [:]
    }

    private let state = Mutex(State())

    /// Notes a change of the store.
    func add(_ change: StoreChange) {
        state.withLock { state in
            switch change {
            case .resync: state = State(contents: Contents(needsResync: true))
            case .changed(let summaries):
                guard !state.contents.needsResync else { return }
                for summary in summaries {
                    if let position = state.positions[summary.id] {
                        state.contents.exchanges[position] = summary
                    } else {
                        state.positions[summary.id] = state.contents.exchanges.count
                        state.contents.exchanges.append(summary)
                    }
                }
                if state.contents.exchanges.count > PendingChanges.limit {
                    state = State(contents: Contents(needsResync: true))
                }
            }
        }
    }

    /// Takes what there is to tell and leaves nothing.
    func take() -> Contents {
        state.withLock { state in
            defer { state = State() }
            return state.contents
        }
    }
}
