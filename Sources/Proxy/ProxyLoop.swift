import NIOConcurrencyHelpers
import NIOCore
import Traffic

/// What belongs to one event loop: its way to the record, its upstream connections, the exchanges on it.
///
/// Used on the loop only.
final class ProxyLoop {
    let loop: any EventLoop
    /// What the whole proxy shares now; what began under an earlier configuration keeps what it has taken from that.
    private(set) var shared: ProxyShared
    let lane: CaptureLane
    let pool: UpstreamPool
    /// The exchanges and connections that have deadlines.
    let watch: LoopWatch
    let prints = HelloPrints()
    /// An empty array for the effects of one fact, which the exchanges of the loop take in turn; `nil` while one has it.
    var spareEffects: [Effect]? = []

    init(loop: any EventLoop, shared: ProxyShared, sink: any CaptureSink, budget: CaptureBudget) {
        self.loop = loop
        self.shared = shared
        lane = CaptureLane(loop: loop, sink: sink, budget: budget, clock: shared.clock)
        watch = LoopWatch(loop: loop, delay: shared.configuration.pendingDelay, clock: shared.clock)
        pool = UpstreamPool(loop: loop, shared: shared, watch: watch)
        shared.upstreams.add(watch, on: loop)
    }

    var configuration: ProxyConfiguration { shared.configuration }

    /// The rules that change what begins from now on; `nil` for none.
    var rules: RuleList? { shared.ruling.withLockedValue { $0 } }

    /// The time now, which deadlines are compared with.
    var now: NIODeadline { watch.now }

    /// The time of day, which dates the rows of the record: microseconds since 1970-01-01T00:00:00Z.
    var timeOfDay: Int64 { shared.clock.microseconds }

    /// Notes that an exchange's client gets its end now, when the record was waited for in vain.
    ///
    /// - Returns: what the lane is told once the exchange is recorded.
    func noteLate() -> LateSpell {
        let moment = timeOfDay
        shared.late.add(now, limit: configuration.holdTimeout)
        return LateSpell(count: 1, from: moment, to: moment)
    }

    /// Closes what is idle.
    ///
    /// - Returns: how much is under way: exchanges, refusals, and connections and streams that have still to end. It is 1 where none is, but
    ///   something is on its way to the record.
    func drain() -> Int {
        pool.closeAll()
        return max(watch.drain(), lane.isIdle ? 0 : 1)
    }

    /// Uses another configuration for what begins from now on.
    func follow(_ shared: ProxyShared) {
        self.shared = shared
        pool.follow(shared)
    }
}
