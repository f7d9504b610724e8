import Synchronization
import Traffic

/// Counts exchanges on their way to the record, and measures how long recording takes.
final class CaptureMeter: CaptureSink, Sendable {
    /// The side, phase and cause under which a failure is counted.
    struct Failure: Hashable {
        let side: ExchangeFailure.Side
        let phase: ExchangeFailure.Phase
        let cause: Cause
    }

    /// What was counted since the start.
    struct Counts {
        /// Exchanges that ended, by outcome.
        var outcomes: [Outcome: Int] = [:]
        /// Responses, by the first digit of their code.
        var classes: [Int: Int] = [:]
        var failures: [Failure: Int] = [:]
        /// Bytes of bodies, as sent and received.
        var requestBytes: Int64 = 0
        var responseBytes: Int64 = 0
        /// Messages of streams.
        var messages = 0
        /// Exchanges that passed and could not be recorded.
        var unrecorded = 0
        /// Commits by how long they took: those up to each bound of `commitBounds`, and all.
        var commits: [Int] = Array(repeating: 0, count: CaptureMeter.commitBounds.count)
        var commitCount = 0
        var commitTime = Duration.zero
        fileprivate var nextBatch: UInt64 = 0
        fileprivate var underWay: [UInt64: ContinuousClock.Instant] = [:]
    }

    /// Upper bounds of a commit's time.
    static let commitBounds: [Duration] = [
        .microseconds(500), .milliseconds(1), .microseconds(2_500), .milliseconds(5), .milliseconds(10),
        .milliseconds(25), .milliseconds(50), .milliseconds(100), .milliseconds(250), .seconds(1),
    ]
    /// Kinds of failures that have a count of their own, at most; further kinds count under the cause `other`.
    private static let failureLimit = 200

    private let sink: any CaptureSink
    private let state = Mutex(Counts())

    init(_ sink: any CaptureSink) { self.sink = sink }

    /// What was counted so far.
    var counts: Counts { state.withLock { $0 } }

    /// How long the oldest uncommitted batch has waited; zero where none waits.
    var lag: Duration {
        let oldest = state.withLock { $0.underWay.values.min() }
        return oldest.map { ContinuousClock.now - $0 } ?? .zero
    }

    func submit(_ batch: CaptureBatch) {
        let began = ContinuousClock.now
        let (number, ended) = state.withLock { counts in
            let number = counts.nextBatch
            counts.nextBatch += 1
            counts.underWay[number] = began
            return (number, Self.count(batch.events, in: &counts))
        }
        var metered = batch
        metered.onCommit = { [self] receipt in
            let taken = ContinuousClock.now - began
            state.withLock { counts in
                counts.underWay[number] = nil
                counts.unrecorded += receipt.isRecorded ? receipt.lost : ended
                counts.commitCount += 1
                counts.commitTime += taken
                if let place = Self.commitBounds.firstIndex(where: { taken <= $0 }) { counts.commits[place] += 1 }
            }
            batch.onCommit(receipt)
        }
        sink.submit(metered)
    }

    /// Counts the events of a batch; returns how many exchanges ended in it.
    private static func count(_ events: [ExchangeEvent], in counts: inout Counts) -> Int {
        var ended = 0
        for event in events {
            switch event {
            case .ended(_, let exchange, _, _):
                ended += 1
                count(exchange, in: &counts)
            case .message: counts.messages += 1
            case .opened, .changed, .body, .imported: break
            }
        }
        return ended
    }

    private static func count(_ exchange: Exchange, in counts: inout Counts) {
        counts.outcomes[exchange.outcome, default: 0] += 1
        if let code = exchange.code, (100...599).contains(code) { counts.classes[code / 100, default: 0] += 1 }
        counts.requestBytes += exchange.request.body.length
        counts.responseBytes += exchange.response?.body.length ?? 0
        guard exchange.outcome == .failed, let failure = exchange.failure else { return }
        var kind = Failure(side: failure.side, phase: failure.phase, cause: failure.cause)
        if counts.failures[kind] == nil, counts.failures.count >= failureLimit {
            kind = Failure(side: failure.side, phase: failure.phase, cause: .other)
        }
        counts.failures[kind, default: 0] += 1
    }
}
