import NIOCore
import Traffic

/// What one event loop has of its own: its way to the record, its upstream connections, the exchanges on it.
///
/// Used on the loop only.
final class ProxyLoop {
    let loop: any EventLoop
    /// What began before another configuration came goes on with the one it began with, as far as it has taken from it.
    private(set) var shared: ProxyShared
    let lane: CaptureLane
    let pool: UpstreamPool
    /// The exchanges and connections that need to be looked at as time passes.
    let watch: LoopWatch
    let prints = HelloPrints()
    /// Room for the effects of one fact, which the exchanges on the loop lend each other; `nil` while it is lent.
    var spareEffects: [Effect]? = []

    init(loop: any EventLoop, shared: ProxyShared, sink: any CaptureSink, budget: CaptureBudget) {
        self.loop = loop
        self.shared = shared
        lane = CaptureLane(loop: loop, sink: sink, budget: budget, clock: shared.clock)
        watch = LoopWatch(loop: loop, delay: shared.configuration.pendingDelay, clock: shared.clock)
        pool = UpstreamPool(loop: loop, shared: shared, watch: watch)
    }

    var configuration: ProxyConfiguration { shared.configuration }

    /// The time now, as deadlines have it.
    var now: NIODeadline { watch.now }

    /// The time of day, which the record is dated with: microseconds since 1970-01-01T00:00:00Z.
    var timeOfDay: Int64 { shared.clock.microseconds }

    /// Closes what is idle; returns how many exchanges and refusals are open, or 1 when there is none of these and something is on its way to the record.
    ///
    /// Who waits for a commit is open and on its way too, and counts once.
    func drain() -> Int {
        pool.closeAll()
        return max(watch.drain(), lane.isIdle ? 0 : 1)
    }

    /// Serves what begins from now on by another configuration.
    func follow(_ shared: ProxyShared) {
        self.shared = shared
        pool.follow(shared)
    }
}
