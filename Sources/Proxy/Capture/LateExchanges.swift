import Atomics
import Logging
import NIOConcurrencyHelpers
import NIOCore

/// The exchanges whose clients had their end before the record did: counts them, and logs when that begins and when the record keeps up again.
///
/// Those of all event loops, since there is one record. It keeps up again when it takes an exchange in time: a slow one that takes each too late
/// has not, however often it commits.
final class LateExchanges: Sendable {
    /// A time in which exchanges were late.
    private struct Spell {
        let since: NIODeadline
        var count = 0
    }

    private let total = ManagedAtomic<Int>(0)
    /// Whether there is a spell: asked for every exchange.
    private let isBehind = ManagedAtomic<Bool>(false)
    private let spell = NIOLockedValueBox<Spell?>(nil)
    private let logger: Logger

    init(logger: Logger) { self.logger = logger }

    /// All of this run.
    var count: Int { total.load(ordering: .relaxed) }

    /// An exchange's client was not kept waiting for the record any longer.
    ///
    /// - Parameters:
    ///   - now: the time.
    ///   - limit: how long it had waited.
    func add(_ now: NIODeadline, limit: TimeAmount) {
        total.wrappingIncrement(ordering: .relaxed)
        let isFirst = spell.withLockedValue { spell in
            let before = spell
            spell = Spell(since: before?.since ?? now, count: (before?.count ?? 0) + 1)
            isBehind.store(true, ordering: .relaxed)
            return before == nil
        }
        guard isFirst else { return }
        logger.warning("the record does not take what passes within \(limit.text); traffic goes on ahead of it")
    }

    /// The record took an exchange whose client was still kept waiting for it.
    func tookInTime(_ now: NIODeadline) {
        guard isBehind.load(ordering: .relaxed) else { return }
        let ended = spell.withLockedValue { spell in
            isBehind.store(false, ordering: .relaxed)
            return spell.take()
        }
        guard let ended else { return }
        logger.warning(
            "the record takes what passes again; exchanges that reached their clients before it, within \((now - ended.since).text): \(ended.count)"
        )
    }
}
