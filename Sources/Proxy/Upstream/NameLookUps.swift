import DequeModule
import Foundation
import NIOConcurrencyHelpers
import NIOCore
import Traffic

/// Looks names up on threads of its own, since a look-up blocks its thread for as long as the slowest name server likes.
///
/// Whoever asks waits no longer than a deadline. Who asks for a name that is being looked up waits for the same answer, and an answer is kept for a moment.
final class NameLookUps: Sendable {
    /// Finds the addresses of a name, whatever their port; blocks, and throws an `ExchangeFailure`.
    typealias LookUp = @Sendable (_ name: String) throws -> [SocketAddress]

    /// Look-ups at once; threads are made as they are needed and end when nothing is left to look up.
    static let threadLimitCount = 64
    /// Names that wait for a thread; further ones fail at once.
    static let queueLimitCount = 1_024
    /// Names whose addresses are kept.
    private static let knownLimitCount = 1_024

    private struct State {
        var known: [String: (until: NIODeadline, addresses: [SocketAddress])] = [:]
        /// Who waits for each name that is being looked up, or is to be.
        var waiting: [String: [UInt64: EventLoopPromise<[SocketAddress]>]] = [:]
        /// Names that no thread has taken yet.
        var queue: Deque<String> = []
        var threadCount = 0
        var lastNumber: UInt64 = 0
        var isStopped = false
    }

    private let state = NIOLockedValueBox(State())
    private let lookUp: LookUp
    private let memory: TimeAmount
    private let clock: ProxyClock

    /// - Parameters:
    ///   - lookUp: what finds the addresses.
    ///   - memory: how long they are kept.
    ///   - clock: what that is measured by.
    init(_ lookUp: @escaping LookUp, memory: TimeAmount, clock: ProxyClock) {
        self.lookUp = lookUp
        self.memory = memory
        self.clock = clock
    }

    /// The addresses of a name; fails with an `ExchangeFailure`.
    ///
    /// - Parameters:
    ///   - name: the name.
    ///   - limit: how long they are waited for, by the loop's time.
    ///   - loop: where the future ends.
    /// - Returns: the addresses in the system's order.
    func addresses(of name: String, within limit: TimeAmount, on loop: any EventLoop)
        -> EventLoopFuture<[SocketAddress]>
    {
        let (now, promise) = (clock.now, loop.makePromise(of: [SocketAddress].self))
        let (number, needsThread) = state.withLockedValue { state -> (UInt64?, Bool) in
            if let known = state.known[name], known.until > now {
                promise.succeed(known.addresses)
                return (nil, false)
            }
            guard !state.isStopped, state.waiting[name] != nil || state.queue.count < Self.queueLimitCount else {
                let why = state.isStopped ? "the proxy was stopped" : "too many others are being resolved"
                promise.fail(Self.failure("dns", name, "could not be resolved: \(why)"))
                return (nil, false)
            }
            state.lastNumber += 1
            let isNew = state.waiting[name] == nil
            state.waiting[name, default: [:]][state.lastNumber] = promise
            if isNew { state.queue.append(name) }
            let needsThread = isNew && state.threadCount < Self.threadLimitCount
            if needsThread { state.threadCount += 1 }
            return (state.lastNumber, needsThread)
        }
        if needsThread { Thread.detachNewThread { [self] in work() } }
        if let number {
            let timer = loop.scheduleTask(in: limit) { [self] in giveUp(number, name, after: limit) }
            promise.futureResult.whenComplete { _ in timer.cancel() }
        }
        return promise.futureResult
    }

    /// Lets nobody wait any longer, and looks no further names up.
    func stop() {
        let waiting = state.withLockedValue { state in
            state.isStopped = true
            state.queue = []
            defer { state.waiting = [:] }
            return state.waiting
        }
        for (name, promises) in waiting {
            for promise in promises.values {
                promise.fail(Self.failure("dns", name, "could not be resolved: the proxy was stopped"))
            }
        }
    }

    /// Somebody has waited long enough; a look-up that has begun goes on, for whoever asks next.
    private func giveUp(_ number: UInt64, _ name: String, after limit: TimeAmount) {
        let promise = state.withLockedValue { state in
            let promise = state.waiting[name]?.removeValue(forKey: number)
            if state.waiting[name]?.isEmpty == true, let position = state.queue.firstIndex(of: name) {
                state.queue.remove(at: position)
                state.waiting[name] = nil
            }
            return promise
        }
        promise?.fail(Self.failure("timeout", name, "could not be resolved within \(limit.text)"))
    }

    // MARK: On a thread

    private func work() {
        while let name = next() { finish(name, Result { try lookUp(name) }) }
    }

    private func next() -> String? {
        state.withLockedValue { state in
            let name = state.queue.popFirst()
            if name == nil { state.threadCount -= 1 }
            return name
        }
    }

    private func finish(_ name: String, _ answer: Result<[SocketAddress], any Error>) {
        let until = clock.now + memory
        let promises = state.withLockedValue { state in
            if case .success(let addresses) = answer, !addresses.isEmpty {
                if state.known.count >= Self.knownLimitCount { state.known.removeAll(keepingCapacity: true) }
                state.known[name] = (until, addresses)
            }
            return state.waiting.removeValue(forKey: name)
        }
        for promise in (promises ?? [:]).values { promise.completeWith(answer) }
    }

    private static func failure(_ cause: String, _ name: String, _ what: String) -> ExchangeFailure {
        ExchangeFailure(side: .upstream, phase: .dns, cause: cause, message: "The name \(name) \(what).", retry: true)
    }
}
