import NIOCore
import Support
import Traffic

/// A listener of the proxy that keeps what it is told, and commits at once, when it is asked to, or fails to.
final class RecordingSink: CaptureSink {
    /// What becomes of a batch.
    enum Commits: Sendable {
        case atOnce
        /// Only when `commit` is called.
        case whenAsked
        /// At once, as not recorded.
        case failing
    }

    /// An exchange that ended, with its bodies whole.
    struct Ended: Sendable {
        let token: CaptureToken
        let exchange: Exchange
        let requestBody: [UInt8]
        let responseBody: [UInt8]
        let messages: [StreamMessage]

        var head: String { String(buffer: exchange.request.head) }
        var sentHead: String? { exchange.request.sentHead.map { String(buffer: $0) } }
        var responseHead: String? { exchange.response.map { String(buffer: $0.head) } }
        var failure: String {
            exchange.failure.map { "\($0.side.rawValue) \($0.phase.rawValue) \($0.cause)" } ?? "none"
        }
    }

    /// All that was told so far.
    struct Told: Sendable {
        fileprivate(set) var opened: [CaptureToken: Exchange] = [:]
        fileprivate(set) var changedCount = 0
        fileprivate(set) var ended: [Ended] = []
        fileprivate var endedTokens: Set<CaptureToken> = []
        fileprivate(set) var faults: [String] = []
        /// What was told of exchanges that were late, by batch.
        fileprivate(set) var late: [LateSpell] = []
        fileprivate(set) var messages: [CaptureToken: [StreamMessage]] = [:]
        fileprivate var bodies: [CaptureToken: (request: [UInt8], response: [UInt8])] = [:]
        /// Body bytes of responses that have not ended.
        var responseBytes: Int { bodies.values.map(\.response.count).reduce(0, +) }
        /// The same of requests.
        var requestBytes: Int { bodies.values.map(\.request.count).reduce(0, +) }
        fileprivate var waiting: [CaptureBatch] = []
        fileprivate var commits: Commits
        fileprivate var lastID: ExchangeID = 0
    }

    private let told: Watched<Told>

    /// Called on the proxy's loop when an exchange has ended, before its client can have the end of the answer.
    private let beforeCommit: @Sendable () -> Void

    init(_ commits: Commits = .atOnce, beforeCommit: @escaping @Sendable () -> Void = {}) {
        told = Watched(Told(commits: commits))
        self.beforeCommit = beforeCommit
    }

    var soFar: Told { told.value }

    func submit(_ batch: CaptureBatch) {
        let isToCommit = told.update { told -> Bool in
            for event in batch.events { told.take(event) }
            if let late = batch.late { told.late.append(late) }
            if case .whenAsked = told.commits {
                told.waiting.append(batch)
                return false
            }
            return true
        }
        if isToCommit {
            if batch.events.contains(where: { if case .ended = $0 { true } else { false } }) { beforeCommit() }
            answer(batch)
        }
    }

    /// Commits what waits, and from here on at once; or does with both what else is said.
    func commit(_ commits: Commits = .atOnce) {
        let waiting = told.update { told in
            told.commits = commits
            defer { told.waiting = [] }
            return told.waiting
        }
        for batch in waiting { answer(batch) }
    }

    /// Commits what waits, and what comes is still only committed when that is asked for.
    func commitSoFar() {
        let waiting = told.update { told in
            defer { told.waiting = [] }
            return told.waiting
        }
        for batch in waiting { answer(batch) }
    }

    /// The exchanges that ended, once there are so many.
    func ended(_ count: Int = 1) async throws -> [Ended] {
        try await told.wait(for: "\(count) exchanges to be recorded") { $0.ended.count >= count }.ended
    }

    /// The same in the order in which they began: rows of several connections may wait for their programs for different times.
    ///
    /// Where the clock stood still between two, the connection that came first goes first.
    func begun(_ count: Int) async throws -> [Ended] {
        try await ended(count).sorted {
            ($0.exchange.timeline.started, $0.exchange.client.token, $0.token)
                < ($1.exchange.timeline.started, $1.exchange.client.token, $1.token)
        }
    }

    /// What was told, once it is as a test needs it.
    func told(_ what: String, until isMet: @escaping @Sendable (Told) -> Bool) async throws -> Told {
        try await told.wait(for: what, until: isMet)
    }

    /// Waits for nothing to be told that would make something else of this.
    func stays(_ what: String, for time: Duration, while holds: @escaping @Sendable (Told) -> Bool) async throws {
        try await told.stays(what, for: time, while: holds)
    }

    /// What was told, once a part of it has come to rest.
    func settled<Part: Equatable & Sendable>(_ part: @escaping @Sendable (Told) -> Part) async throws -> Told {
        try await told.settled(part, for: .milliseconds(400))
    }

    private func answer(_ batch: CaptureBatch) {
        let receipt = told.update { told -> CommitReceipt in
            if case .failing = told.commits { return CommitReceipt(ids: [], isRecorded: false) }
            var ids: [ExchangeID] = []
            for case .ended in batch.events {
                told.lastID += 1
                ids.append(told.lastID)
            }
            return CommitReceipt(ids: ids, isRecorded: true)
        }
        batch.onCommit(receipt)
    }
}

/// In a few words: a wait that is over says what it has come to, and bodies may be of megabytes.
extension RecordingSink.Told: CustomStringConvertible {
    var description: String {
        let rows = ended.suffix(20).map { "\($0.exchange.method) \($0.exchange.target): \($0.failure)" }
        let bodies = "bodies of \(requestBytes) and \(responseBytes) bytes"
        return "\(opened.count) opened, \(ended.count) ended (at last \(rows)), \(bodies), \(faults)"
    }
}

extension RecordingSink.Told {
    fileprivate mutating func take(_ event: ExchangeEvent) {
        switch event {
        case .opened(let token, let exchange):
            if opened[token] != nil { faults.append("\(token) was opened twice") }
            opened[token] = exchange
        case .changed(let token, _):
            if opened[token] == nil { faults.append("\(token) changed before it was opened") }
            changedCount += 1
        case .body(let token, let side, let bytes):
            if opened[token] == nil { faults.append("\(token) had a body before it was opened") }
            if side == .request {
                bodies[token, default: ([], [])].request += bytes.readableBytesView
            } else {
                bodies[token, default: ([], [])].response += bytes.readableBytesView
            }
        case .message(let token, let message):
            if opened[token] == nil { faults.append("\(token) had a message before it was opened") }
            messages[token, default: []].append(message)
        case .imported: faults.append("the proxy imported something")
        case .ended(let token, let exchange, let request, let response):
            if !endedTokens.insert(token).inserted { faults.append("\(token) ended twice") }
            if exchange.outcome == .pending { faults.append("\(token) ended as pending") }
            if [.failed, .cancelled].contains(exchange.outcome) != (exchange.failure != nil) {
                faults.append("\(token) ended early without a reason, or has one though it did not")
            }
            let earlier = bodies.removeValue(forKey: token) ?? ([], [])
            let whole = RecordingSink.Ended(
                token: token,
                exchange: exchange,
                requestBody: earlier.request + request.readableBytesView,
                responseBody: earlier.response + response.readableBytesView,
                messages: messages[token] ?? []
            )
            if whole.messages.count != Int(exchange.messages.total) {
                faults.append("\(token)'s messages are not as many as were counted")
            }
            if Int64(whole.requestBody.count) != exchange.request.body.kept {
                faults.append("\(token)'s request body is not what was kept")
            }
            if Int64(whole.responseBody.count) != exchange.response?.body.kept ?? 0 {
                faults.append("\(token)'s response body is not what was kept")
            }
            ended.append(whole)
        }
    }
}
