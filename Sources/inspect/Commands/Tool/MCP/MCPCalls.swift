import Traffic

/// The calls of tools that run, and those that wait, in their order.
///
/// Replays and other calls are counted apart. A replay may wait long for its answers, and must not keep a call that only reads from starting.
struct MCPCalls {
    /// One call, from its message to its answer.
    struct Call: Sendable {
        /// Our own number, since a client may give two calls the same id.
        let number: Int
        let id: JSONValue
        let message: RPCMessage
        /// Finishes when the client no longer wants the answer.
        let wanted: AsyncStream<Void>
        fileprivate let cancel: AsyncStream<Void>.Continuation
        fileprivate var isCancelled = false

        /// Whether it sends requests.
        fileprivate var isReplay: Bool {
            guard case .request(_, _, let params) = message else { return false }
            return params["name"]?.string == ReplayTool.word
        }
    }

    /// The most calls of one kind that run at once.
    static let mostRunning = 4

    private let runningLimit: Int
    private let waitingLimit: Int
    private var running: [Call] = []
    private var waiting: [Call] = []
    private var count = 0

    /// - Parameters:
    ///   - runningLimit: the most calls of one kind, replays or others, that run at once.
    ///   - waitingLimit: the most calls of one kind that wait.
    init(runningLimit: Int, waitingLimit: Int) {
        (self.runningLimit, self.waitingLimit) = (runningLimit, waitingLimit)
    }

    /// Queues a call; returns false where too many of its kind wait already.
    mutating func add(_ message: RPCMessage, id: JSONValue) -> Bool {
        let (wanted, cancel) = AsyncStream<Void>.makeStream()
        let call = Call(number: count + 1, id: id, message: message, wanted: wanted, cancel: cancel)
        guard MCPCalls.count(waiting, like: call) < waitingLimit else { return false }
        count += 1
        waiting.append(call)
        return true
    }

    /// Takes the next call to start; `nil` where none waits, or enough calls run of each kind that waits.
    mutating func next() -> Call? {
        let next = waiting.firstIndex { MCPCalls.count(running, like: $0) < runningLimit }
        guard let place = next else { return nil }
        let call = waiting.remove(at: place)
        running.append(call)
        return call
    }

    private static func count(_ calls: [Call], like call: Call) -> Int {
        calls.count { $0.isReplay == call.isReplay }
    }

    /// Cancels a call: it never starts, or ends as soon as it can.
    ///
    /// An id that no call has is ignored: the answer may be on its way.
    mutating func cancel(_ id: JSONValue) {
        func isMeant(_ call: Call) -> Bool { call.id.string == id.string && call.id.integer == id.integer }
        waiting.removeAll(where: isMeant)
        for place in running.indices where isMeant(running[place]) { cancel(at: place) }
    }

    /// Takes out a call that has ended; returns whether its answer is wanted.
    mutating func end(_ number: Int) -> Bool {
        guard let place = running.firstIndex(where: { $0.number == number }) else { return false }
        return !running.remove(at: place).isCancelled
    }

    private mutating func cancel(at place: Int) {
        running[place].isCancelled = true
        running[place].cancel.finish()
    }
}
