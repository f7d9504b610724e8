import DequeModule
import NIOCore
import Traffic

/// One event loop's way to the record: gathers the events of a loop tick into a batch, and calls the closures that wait for its commit.
///
/// Everything here runs on the loop.
final class CaptureLane {
    /// A closure called on the loop after the commit, with the store's number, or `nil` where the exchange could not be recorded.
    typealias Waiter = (ExchangeID?) -> Void

    /// A batch whose commit is awaited.
    private struct Batch {
        let number: UInt64
        let waiters: [Waiter]
        let watchers: [() -> Void]
        let bytes: Int
        /// Kept to be freed on the loop that made them: memory that another thread frees costs more to get again.
        let events: [ExchangeEvent]
    }

    /// The bounds of what streams may cost the loop.
    let allowance: LoopAllowance
    private let loop: any EventLoop
    private let sink: any CaptureSink
    private let budget: CaptureBudget
    private let clock: ProxyClock
    private var events: [ExchangeEvent] = []
    private var eventBytes = 0
    /// Exchanges that were late and are recorded by now, which the next batch tells of.
    private var late: LateSpell?
    private var waiters: [Waiter] = []
    /// The closures that wait for the commit of the current batch though their exchange does not end in it.
    private var watchers: [() -> Void] = []
    private var isFlushScheduled = false
    /// Batches whose commit is awaited, oldest first.
    private var inFlight: Deque<Batch> = []
    private var batchCount: UInt64 = 0
    /// Handlers that withheld a read because the budget was exhausted.
    private var paused: [() -> Void] = []
    /// Whether the budget was asked to wake this lane.
    private var isAwaitingRoom = false

    /// - Parameters:
    ///   - loop: the loop that everything here runs on.
    ///   - sink: takes the batches.
    ///   - budget: what may be on its way to the sink.
    ///   - clock: dates the messages of streams.
    init(loop: any EventLoop, sink: any CaptureSink, budget: CaptureBudget, clock: ProxyClock) {
        self.loop = loop
        self.sink = sink
        self.budget = budget
        self.clock = clock
        allowance = LoopAllowance(loop: loop, budget: budget)
    }

    /// The time of day in microseconds since 1970-01-01T00:00:00Z.
    var timeOfDay: Int64 { clock.microseconds }

    /// Adds an event that weighs `bytes` to the current batch.
    func add(_ event: ExchangeEvent, bytes: Int) {
        events.append(event)
        eventBytes += bytes
        budget.take(bytes)
        scheduleFlush()
    }

    /// Adds the end of an exchange; `waiter` is called when it is committed.
    func end(_ event: ExchangeEvent, bytes: Int, waiter: @escaping Waiter) {
        waiters.append(waiter)
        add(event, bytes: bytes)
    }

    /// Adds what is known of an open exchange; `then` is called when that is committed, or could not be recorded.
    func add(_ event: ExchangeEvent, bytes: Int, then: @escaping () -> Void) {
        watchers.append(then)
        add(event, bytes: bytes)
    }

    /// Tells the record of an exchange that it has by now, and whose client had the end before that.
    func add(_ exchange: LateSpell) {
        if late == nil { late = exchange } else { late?.join(exchange) }
        scheduleFlush()
    }

    /// Whether reading should pause until the closure given to `whenRoom` is called.
    var isCongested: Bool { budget.isExhausted }

    /// Calls back, on the loop, when there is room again.
    func whenRoom(_ resume: @escaping () -> Void) {
        paused.append(resume)
        awaitRoom()
    }

    /// How many exchanges are over and wait to be recorded until the client's program is known.
    var awaitedCount = 0

    /// Whether nothing is on its way to the record.
    var isIdle: Bool { inFlight.isEmpty && events.isEmpty && late == nil && awaitedCount == 0 }

    private func scheduleFlush() {
        guard !isFlushScheduled else { return }
        isFlushScheduled = true
        loop.assumeIsolated().execute { [self] in flush() }
    }

    private func flush() {
        isFlushScheduled = false
        guard !events.isEmpty || late != nil else { return }
        batchCount += 1
        let number = batchCount
        inFlight.append(
            Batch(number: number, waiters: waiters, watchers: watchers, bytes: eventBytes, events: events)
        )
        let (batch, late) = (events, late)
        self.late = nil
        events = []
        waiters = []
        watchers = []
        eventBytes = 0
        let lane = NIOLoopBound(self, eventLoop: loop)
        let loop = loop
        sink.submit(
            CaptureBatch(events: batch, late: late) { receipt in
                loop.execute { lane.value.committed(number, receipt) }
            }
        )
    }

    private func committed(_ number: UInt64, _ receipt: CommitReceipt) {
        guard let position = inFlight.firstIndex(where: { $0.number == number }) else { return }
        let batch = inFlight.remove(at: position)
        budget.give(batch.bytes)
        for (index, waiter) in batch.waiters.enumerated() {
            let id = receipt.isRecorded && index < receipt.ids.count ? receipt.ids[index] : 0
            waiter(id > 0 ? id : nil)
        }
        for watcher in batch.watchers { watcher() }
    }

    private func awaitRoom() {
        guard !isAwaitingRoom else { return }
        isAwaitingRoom = true
        let lane = NIOLoopBound(self, eventLoop: loop)
        let loop = loop
        budget.whenRoom { loop.execute { lane.value.resume() } }
    }

    private func resume() {
        isAwaitingRoom = false
        // Another loop may have taken the room by now.
        guard !budget.isExhausted else { return awaitRoom() }
        let resumed = paused
        paused = []
        for resume in resumed { resume() }
    }
}
