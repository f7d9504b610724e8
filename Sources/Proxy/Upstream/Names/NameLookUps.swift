import NIOConcurrencyHelpers
import NIOCore
import Traffic

/// Looks names up on threads of its own, since a look-up blocks its thread for as long as the slowest name server takes.
///
/// Each request has a deadline. Requests for a name that is being looked up share its answer, and an answer is kept for a moment.
/// Threads start as they are needed, at most one for each look-up, and end when no name is left.
final class NameLookUps: Sendable {
    /// Finds the addresses of a name, whose ports do not matter; blocks, and throws an `ExchangeFailure`.
    typealias LookUp = @Sendable (_ name: String) throws -> [SocketAddress]
    /// The requests that wait for a name.
    private typealias Waiting = [String: [UInt64: EventLoopPromise<[SocketAddress]>]]

    /// The most addresses of a name that are used: each is examined on an event loop, and a hostile name has thousands.
    static let addressLimitCount = 32
    /// The most names whose addresses are kept.
    private static let knownLimitCount = 1_024

    private struct State {
        var known: [String: (until: NIODeadline, addresses: [SocketAddress])] = [:]
        /// The requests for each name that is being looked up, or waits for that.
        var waiting: Waiting = [:]
        var queue = LookUpQueue()
        var threadCount = 0
        var lastNumber: UInt64 = 0
        var isStopped = false
        /// Whether a loop is scheduled to forget what is out of date.
        var isForgetting = false

        /// Counts one more thread, where there may be one.
        mutating func addThread() -> Bool {
            guard threadCount < LookUpQueue.runningLimitCount else { return false }
            threadCount += 1
            return true
        }
    }

    private let state = NIOLockedValueBox(State())
    private let lookUp: LookUp
    private let memory: TimeAmount
    private let clock: ProxyClock
    private let startThread: @Sendable (@escaping @Sendable () -> Void) -> Bool

    /// - Parameters:
    ///   - lookUp: finds the addresses.
    ///   - memory: how long addresses are kept.
    ///   - clock: measures that time.
    ///   - startThread: runs a closure on a new thread; returns false where there is none.
    init(
        _ lookUp: @escaping LookUp,
        memory: TimeAmount,
        clock: ProxyClock,
        startThread: @escaping @Sendable (@escaping @Sendable () -> Void) -> Bool = DetachedThread.start
    ) {
        self.lookUp = lookUp
        self.memory = memory
        self.clock = clock
        self.startThread = startThread
    }

    /// How many names are kept, with those that are out of date and not forgotten yet.
    var knownCount: Int { state.withLockedValue { $0.known.count } }

    /// The addresses of a name; fails with an `ExchangeFailure`.
    ///
    /// - Parameters:
    ///   - name: the name.
    ///   - client: the network of a client of another machine that asks for it; `nil` for a client of this machine.
    ///   - limit: how long to wait, by the loop's clock.
    ///   - loop: the loop of the future.
    /// - Returns: the addresses in the system's order.
    func addresses(
        of name: String,
        for client: [UInt8]? = nil,
        within limit: TimeAmount,
        on loop: any EventLoop
    ) -> EventLoopFuture<[SocketAddress]> {
        let (now, promise) = (clock.now, loop.makePromise(of: [SocketAddress].self))
        let (number, needsThread) = state.withLockedValue { state -> (UInt64?, Bool) in
            if let known = state.known[name], known.until > now {
                promise.succeed(known.addresses)
                return (nil, false)
            }
            let isNew = state.waiting[name] == nil
            guard !state.isStopped, !isNew || state.queue.add(name, for: client) else {
                let why = state.isStopped ? "the proxy was stopped" : "too many others are being resolved"
                promise.fail(Self.failure(.dns, name, "could not be resolved: \(why)"))
                return (nil, false)
            }
            state.lastNumber += 1
            state.waiting[name, default: [:]][state.lastNumber] = promise
            let mayStart = isNew ? state.queue.hasTurn(name) : state.queue.asked(name, by: client)
            return (state.lastNumber, mayStart && state.addThread())
        }
        if needsThread { addThread() }
        if let number {
            let timer = loop.scheduleTask(in: limit) { [self] in giveUp(number, name, after: limit) }
            promise.futureResult.whenComplete { [self] _ in
                timer.cancel()
                forgetLater(on: loop)
            }
        }
        return promise.futureResult
    }

    /// Fails every waiting request, and looks no further names up.
    func stop() {
        let waiting = state.withLockedValue { state in
            state.isStopped = true
            state.queue.removeAll()
            defer { state.waiting = [:] }
            return state.waiting
        }
        Self.fail(waiting, "the proxy was stopped")
    }

    /// Schedules forgetting what goes out of date, which happens even where no further request comes.
    private func forgetLater(on loop: any EventLoop) {
        let isFirst = state.withLockedValue { state in
            guard !state.known.isEmpty, !state.isForgetting, !state.isStopped else { return false }
            state.isForgetting = true
            return true
        }
        guard isFirst else { return }
        loop.scheduleTask(in: memory) { [weak self] in
            guard let self else { return }
            let now = clock.now
            state.withLockedValue { state in
                state.known = state.known.filter { $0.value.until > now }
                state.isForgetting = false
            }
            forgetLater(on: loop)
        }
    }

    /// Fails a request whose deadline has passed; a look-up that has begun goes on, for the next request.
    private func giveUp(_ number: UInt64, _ name: String, after limit: TimeAmount) {
        let promise = state.withLockedValue { state in
            let promise = state.waiting[name]?.removeValue(forKey: number)
            if state.waiting[name]?.isEmpty == true, state.queue.remove(name) { state.waiting[name] = nil }
            return promise
        }
        promise?.fail(Self.failure(.timeout, name, "could not be resolved within \(limit.text)"))
    }

    /// Starts a thread that was counted; where the system has none and none runs, every waiting request fails.
    private func addThread() {
        guard !startThread({ [self] in work() }) else { return }
        let waiting = state.withLockedValue { state in
            state.threadCount -= 1
            guard state.threadCount == 0 else { return Waiting() }
            state.queue.removeAll()
            defer { state.waiting = [:] }
            return state.waiting
        }
        Self.fail(waiting, "this machine has no thread left for it")
    }

    // MARK: On a thread

    private func work() {
        while let (name, needsThread) = next() {
            if needsThread { addThread() }
            finish(name, Result { try Array(lookUp(name).prefix(Self.addressLimitCount)) })
        }
    }

    /// The next name, and whether another could be looked up beside it that all other threads are too busy for.
    private func next() -> (name: String, needsThread: Bool)? {
        state.withLockedValue { state in
            guard let name = state.queue.next() else {
                state.threadCount -= 1
                return nil
            }
            let isMore = state.threadCount == state.queue.runningCount && state.queue.hasNext
            return (name, isMore && state.addThread())
        }
    }

    private func finish(_ name: String, _ answer: Result<[SocketAddress], any Error>) {
        let now = clock.now
        let promises = state.withLockedValue { state in
            state.queue.ended(name)
            state.known = state.known.filter { $0.value.until > now }
            if case .success(let addresses) = answer, !addresses.isEmpty, state.known.count < Self.knownLimitCount {
                state.known[name] = (now + memory, addresses)
            }
            return state.waiting.removeValue(forKey: name)
        }
        for promise in (promises ?? [:]).values { promise.completeWith(answer) }
    }

    private static func fail(_ waiting: Waiting, _ why: String) {
        for (name, promises) in waiting {
            for promise in promises.values {
                promise.fail(failure(.dns, name, "could not be resolved: \(why)"))
            }
        }
    }

    private static func failure(_ cause: Cause, _ name: String, _ what: String) -> ExchangeFailure {
        ExchangeFailure(side: .upstream, phase: .dns, cause: cause, message: "The name \(name) \(what).", retry: true)
    }
}
