import DequeModule
import NIOConcurrencyHelpers
import NIOCore

/// The number of upstream connections that the proxy has open or is opening, and the dials that wait for one to close.
///
/// Each has a place among so many, from before its socket is opened until that is closed. While dials wait, no event loop keeps an idle connection.
final class UpstreamCount: Sendable {
    /// All places are taken, and none was given back in time, or as many dials wait as may, in all or for this client.
    struct Full: Error {
        let limitCount: Int
    }

    /// A dial has left the queue, since what it was for can be had without it by now.
    struct NotNeeded: Error {}

    /// How often a dial that waits looks whether it is still needed.
    private static let lookDelay = TimeAmount.milliseconds(100)
    /// The most dials that wait at once; a further one fails.
    private static let waitingLimitCount = 1_024
    /// The most among them that are for one network of clients of other machines.
    private static let shareLimitCount = waitingLimitCount / 4

    private struct Waiting {
        let promise: EventLoopPromise<Void>
        /// The network of the client; `nil` for this machine's.
        let client: [UInt8]?
    }

    private struct State {
        var limitCount: Int
        var openCount = 0
        /// First come, first served; there are any only while all places are taken.
        var waiting: Deque<Waiting> = []

        mutating func enter() -> Bool {
            guard openCount < limitCount else { return false }
            openCount += 1
            return true
        }
    }

    private let state: NIOLockedValueBox<State>
    private let watches = NIOLockedValueBox<[NIOLoopBound<LoopWatch>]>([])

    init(limit: Int) { state = NIOLockedValueBox(State(limitCount: limit)) }

    /// How many places are taken.
    var openCount: Int { state.withLockedValue { $0.openCount } }

    /// How many dials wait for a place.
    var waitingCount: Int { state.withLockedValue { $0.waiting.count } }

    /// Has an event loop close its idle connections when there is no room; called on that loop.
    func add(_ watch: LoopWatch, on loop: any EventLoop) {
        let watch = NIOLoopBound(watch, eventLoop: loop)
        watches.withLockedValue { $0.append(watch) }
    }

    // MARK: Places

    /// Takes a place for one more socket, if there is one.
    ///
    /// - Returns: whether there was; who has taken it calls `leave` once.
    func enter() -> Bool { state.withLockedValue { $0.enter() } }

    /// Gives a place back: the dial that has waited for longest has it then.
    func leave() {
        let (next, isLast) = state.withLockedValue { state -> (EventLoopPromise<Void>?, Bool) in
            if state.openCount <= state.limitCount, let next = state.waiting.popFirst() {
                return (next.promise, state.waiting.isEmpty)
            }
            state.openCount -= 1
            return (nil, false)
        }
        if isLast { tellLoops() }
        if let next { Self.admit(next) }
    }

    /// Tells a dial that it has a place, in a later turn: if it gave that back at once, the next one would follow within this call.
    private static func admit(_ next: EventLoopPromise<Void>) {
        next.futureResult.eventLoop.execute { next.succeed() }
    }

    /// Changes the limit; open connections stay, and waiting dials get the places that it adds.
    func allow(_ count: Int) {
        let (admitted, isLast) = state.withLockedValue { state -> ([EventLoopPromise<Void>], Bool) in
            state.limitCount = count
            var admitted: [EventLoopPromise<Void>] = []
            while !state.waiting.isEmpty, state.enter() { admitted.append(state.waiting.removeFirst().promise) }
            return (admitted, !admitted.isEmpty && state.waiting.isEmpty)
        }
        if isLast { tellLoops() }
        for next in admitted { Self.admit(next) }
    }

    /// Takes a place for a dial, at once or when it is its turn.
    ///
    /// - Parameters:
    ///   - dial: does not wait any longer once it is given up, or not needed any more.
    ///   - loop: the dial's, on which this is called.
    ///   - limit: for how long it may wait.
    /// - Returns: a future that succeeds with the place, for which `leave` is to be called once; it fails with `Full`, `NotNeeded`, or as a dial
    ///   that is given up.
    func place(for dial: Dial, on loop: any EventLoop, within limit: TimeAmount) -> EventLoopFuture<Void> {
        if enter() { return loop.makeSucceededVoidFuture() }
        let promise = loop.makePromise(of: Void.self)
        let client = dial.client
        let (isTaken, waitingCount) = state.withLockedValue { state -> (Bool, Int) in
            // One may have been given back meanwhile.
            if state.enter() { return (true, 0) }
            guard state.waiting.count < Self.waitingLimitCount,
                client == nil || state.waiting.count(where: { $0.client == client }) < Self.shareLimitCount
            else { return (false, 0) }
            state.waiting.append(Waiting(promise: promise, client: client))
            return (false, state.waiting.count)
        }
        guard !isTaken else {
            promise.succeed()
            return promise.futureResult
        }
        guard waitingCount > 0 else {
            promise.fail(full)
            return promise.futureResult
        }
        let timer = loop.scheduleTask(in: limit) { [self] in stop(promise, full) }
        dial.leavesQueue = { [self] in stop(promise, ChannelError.ioOnClosedChannel) }
        if waitingCount == 1 { tellLoops() }
        let bound = NIOLoopBound(dial, eventLoop: loop)
        let looks = loop.scheduleRepeatedTask(initialDelay: Self.lookDelay, delay: Self.lookDelay) { [self] _ in
            if !bound.value.isNeeded() { stop(promise, NotNeeded()) }
        }
        return promise.futureResult.assumeIsolated().always { _ in
            timer.cancel()
            looks.cancel()
            dial.leavesQueue = nil
        }.flatMapThrowing { [self] in
            // The place and the end of the dial may have come within the same moment.
            guard dial.isGivenUp || !dial.isNeeded() else { return }
            leave()
            if dial.isGivenUp { throw ChannelError.ioOnClosedChannel }
            throw NotNeeded()
        }.nonisolated()
    }

    /// Lets no dial wait any longer, since the proxy stops.
    func stop() {
        let waiting = state.withLockedValue { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for next in waiting { next.promise.fail(ChannelError.ioOnClosedChannel) }
        if !waiting.isEmpty { tellLoops() }
    }

    /// The error of who finds no place.
    var full: Full { Full(limitCount: state.withLockedValue { $0.limitCount }) }

    /// Ends a dial's wait, unless it has its place by now.
    private func stop(_ waiting: EventLoopPromise<Void>, _ error: any Error) {
        let isLast = state.withLockedValue { state -> Bool? in
            let index = state.waiting.firstIndex { $0.promise.futureResult === waiting.futureResult }
            guard let index else { return nil }
            state.waiting.remove(at: index)
            return state.waiting.isEmpty
        }
        guard let isLast else { return }
        if isLast { tellLoops() }
        waiting.fail(error)
    }

    // MARK: Idle connections

    /// Tells the event loops whether dials wait, each on its own thread: the caller's at once.
    private func tellLoops() {
        for watch in watches.withLockedValue({ $0 }) {
            let tell = { @Sendable [self] in watch.value.note(isShort: waitingCount > 0) }
            if watch.eventLoop.inEventLoop { tell() } else { watch.eventLoop.execute(tell) }
        }
    }

    /// Closes the idle connections of all event loops.
    ///
    /// - Parameter loop: the loop of the future.
    /// - Returns: a future that succeeds once each loop has closed its own.
    func makeRoom(on loop: any EventLoop) -> EventLoopFuture<Void> {
        let watches = watches.withLockedValue { $0 }
        return EventLoopFuture.andAllComplete(
            watches.map { watch in watch.eventLoop.submit { watch.value.makeRoom() } },
            on: loop
        )
    }
}
