import Traffic

/// The calls of tools that run and that wait, in their order.
///
/// Replays and others are counted apart, since a replay may wait for answers as long as it likes: however many do, a call that only reads is begun.
struct MCPCalls {
    /// One call, from its message to its answer.
    struct Call: Sendable {
        /// Its own, since a client may give two calls one id.
        let number: Int
        let id: JSONValue
        let message: RPCMessage
        /// Ends when the client does not want the answer any more.
        let wanted: AsyncStream<Void>
        fileprivate let cancel: AsyncStream<Void>.Continuation
        fileprivate var isCancelled = false

        /// Whether it sends requests.
        fileprivate var isReplay: Bool {
            guard case .request(_, _, let params) = message else { return false }
            return params["name"]?.string == ReplayTool.word
        }
    }

    /// Calls of one kind that run at once, at most.
    static let mostRunning = 4

    private let runningLimit: Int
    private let waitingLimit: Int
    private var running: [Call] = []
    private var waiting: [Call] = []
    private var count = 0

    /// - Parameters:
    ///   - runningLimit: calls of one kind that run at once, replays or others.
    ///   - waitingLimit: calls of one kind that wait for those, at most.
    init(runningLimit: Int, waitingLimit: Int) {
        (self.runningLimit, self.waitingLimit) = (runningLimit, waitingLimit)
    }

    /// Takes note of a call behind those that wait already; false where too many of its kind wait.
    mutating func add(_ message: RPCMessage, id: JSONValue) -> Bool {
        let (wanted, cancel) = AsyncStream<Void>.makeStream()
        let call = Call(number: count + 1, id: id, message: message, wanted: wanted, cancel: cancel)
        guard MCPCalls.count(waiting, like: call) < waitingLimit else { return false }
        count += 1
        waiting.append(call)
        return true
    }

    /// The call that is to be begun now; `nil` where enough run of the kind of each that waits.
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

    /// The client wants no answer to a call any more: it is not begun, or ends as soon as it can.
    ///
    /// An id that no call has means nothing: the answer may be on its way.
    mutating func cancel(_ id: JSONValue) {
        func isMeant(_ call: Call) -> Bool { call.id.string == id.string && call.id.integer == id.integer }
        waiting.removeAll(where: isMeant)
        for place in running.indices where isMeant(running[place]) { cancel(at: place) }
    }

    /// A call has ended; returns whether its answer is wanted.
    mutating func end(_ number: Int) -> Bool {
        guard let place = running.firstIndex(where: { $0.number == number }) else { return false }
        return !running.remove(at: place).isCancelled
    }

    private mutating func cancel(at place: Int) {
        running[place].isCancelled = true
        running[place].cancel.finish()
    }
}
