import DequeModule
import NIOCore

/// The timers of an event loop in one place: a timer for each exchange would cost a good part of relaying it.
///
/// Timers run only while there is something to watch.
final class LoopWatch {
    private static let tick = TimeAmount.milliseconds(100)

    private let loop: any EventLoop
    private let delay: TimeAmount
    private let clock: ProxyClock
    private var watched: [ObjectIdentifier: any Watched] = [:]
    private var soonQueue: Deque<(at: NIODeadline, who: any Watched, exchange: UInt64)> = []
    private var isTicking = false
    private var isSoonScheduled = false

    /// - Parameters:
    ///   - loop: the loop that everything here runs on.
    ///   - delay: the time after which `due` is called.
    ///   - clock: what time is measured by.
    init(loop: any EventLoop, delay: TimeAmount, clock: ProxyClock) {
        self.loop = loop
        self.delay = delay
        self.clock = clock
    }

    /// The time now, as `look` has it.
    var now: NIODeadline { clock.now }

    /// Starts watching.
    func add(_ who: any Watched) {
        watched[ObjectIdentifier(who)] = who
        guard !isTicking else { return }
        isTicking = true
        scheduleTick()
    }

    /// Stops watching.
    func remove(_ who: any Watched) { watched.removeValue(forKey: ObjectIdentifier(who)) }

    /// Calls `due` after the delay, once; the delay is the same for all, so this is a queue.
    func soon(_ who: any Watched, exchange: UInt64, now: NIODeadline) {
        soonQueue.append((now + delay, who, exchange))
        guard !isSoonScheduled else { return }
        isSoonScheduled = true
        scheduleSoon()
    }

    /// Asks everything to come to an end; returns how many are still busy.
    func drain() -> Int { Array(watched.values).count { $0.drain() } }

    /// Ends everything that is still busy.
    func cut() { for who in Array(watched.values) { who.cut() } }

    /// Closes what is only kept for later, for something else to be opened.
    func makeRoom() { for who in Array(watched.values) { who.makeRoom() } }

    /// Has everything look at the time, as each tick does.
    func look() {
        let now = clock.now
        for who in Array(watched.values) { who.look(now) }
    }

    private func scheduleTick() {
        loop.assumeIsolated().scheduleTask(in: Self.tick) { [self] in
            guard !watched.isEmpty else {
                isTicking = false
                return
            }
            look()
            scheduleTick()
        }
    }

    private func scheduleSoon() {
        guard let first = soonQueue.first else {
            isSoonScheduled = false
            return
        }
        // By how long it is until then, since the clock need not be the loop's.
        loop.assumeIsolated().scheduleTask(in: max(first.at - clock.now, .zero)) { [self] in
            // Whatever is due within the next moments goes along, so that a busy loop is woken rarely.
            let now = clock.now + .milliseconds(5)
            while let next = soonQueue.first, next.at <= now {
                soonQueue.removeFirst()
                next.who.due(next.exchange)
            }
            scheduleSoon()
        }
    }
}
