import DequeModule
import NIOCore

/// The timers of an event loop in one place: a timer for each exchange would cost a good part of what relaying it costs.
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
    /// For how long a connection that its client is about to use is kept all the same while dials wait for places.
    static let stepLimit = TimeAmount.seconds(1)
    /// Whether dials wait for the places of other connections: then none is kept for later.
    private(set) var isShort = false

    /// - Parameters:
    ///   - loop: the loop that everything here runs on.
    ///   - delay: the time after which `due` is called.
    ///   - clock: measures the time.
    init(loop: any EventLoop, delay: TimeAmount, clock: ProxyClock) {
        self.loop = loop
        self.delay = delay
        self.clock = clock
    }

    /// The time now, by the clock that `look` uses.
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

    /// Asks everything that is watched to end.
    ///
    /// What ends may leave something else to watch, such as a connection whose client has still to read: that is asked too.
    ///
    /// - Returns: how many are still busy.
    func drain() -> Int {
        let before = watched
        let busyCount = Array(before.values).count { $0.drain() }
        let left = watched.filter { before[$0.key] == nil }
        return busyCount + Array(left.values).count { $0.drain() }
    }

    /// Ends everything that is still busy.
    ///
    /// - Returns: how many exchanges ended with it.
    func cut() -> Int { Array(watched.values).count { $0.cut() } }

    /// Closes what is only kept for later, so that something else can be opened.
    func makeRoom() { for who in Array(watched.values) { who.makeRoom() } }

    /// Notes whether dials wait for the places of other connections, and makes room if they do.
    func note(isShort: Bool) {
        self.isShort = isShort
        if isShort { makeRoom() }
    }

    /// Tells the time to everything that is watched, as each tick does.
    func look() {
        let now = clock.now
        for who in Array(watched.values) { who.look(now) }
        // A connection that was about to be used may be idle by now.
        if isShort { makeRoom() }
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
        // In so much time, not at that time: the clock may be another than the loop's.
        loop.assumeIsolated().scheduleTask(in: max(first.at - clock.now, .zero)) { [self] in
            // What is due within the next 5 ms is told too, so that a busy loop is woken rarely.
            let now = clock.now + .milliseconds(5)
            while let next = soonQueue.first, next.at <= now {
                soonQueue.removeFirst()
                next.who.due(next.exchange)
            }
            scheduleSoon()
        }
    }
}
