import Atomics
import Logging
import NIOConcurrencyHelpers
import NIOCore

/// The exchanges whose clients got the end before the record did: counts them, and logs when this begins and when the record keeps up again.
///
/// One object serves all event loops, since there is one record. The record keeps up again once it takes an exchange in time; one that takes each
/// too late does not, however often it commits.
final class LateExchanges: Sendable {
    /// A period in which exchanges were late.
    private struct Spell {
        let since: NIODeadline
        var count = 0
    }

    private let total = ManagedAtomic<Int>(0)
    /// Whether such a period goes on; asked for every exchange.
    private let isBehind = ManagedAtomic<Bool>(false)
    /// The spell that goes on.
    private let spell = NIOLockedValueBox<Spell?>(nil)
    private let logger: Logger

    init(logger: Logger) { self.logger = logger }

    /// How many exchanges of this run were late.
    var count: Int { total.load(ordering: .relaxed) }

    /// Notes that an exchange's client got its end before the record did.
    ///
    /// - Parameters:
    ///   - now: the time.
    ///   - limit: how long the client had waited.
    func add(_ now: NIODeadline, limit: TimeAmount) {
        total.wrappingIncrement(ordering: .relaxed)
        let isFirst = spell.withLockedValue { spell in
            let before = spell
            spell = Spell(since: before?.since ?? now, count: (before?.count ?? 0) + 1)
            isBehind.store(true, ordering: .relaxed)
            return before == nil
        }
        if isFirst {
            logger.warning("the record does not take what passes within \(limit.text); traffic goes on ahead of it")
        }
    }

    /// Notes that the record took an exchange in time.
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
