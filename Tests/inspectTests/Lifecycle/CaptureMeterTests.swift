import NIOCore
import Support
import Testing
import Traffic

@testable import inspect

/// What is counted on the way to the record.
@Suite(.timeLimit(.minutes(15))) struct CaptureMeterTests {
    /// Keeps batches until it is told to commit them.
    private final class Hesitant: CaptureSink {
        private let batches = Watched<[CaptureBatch]>([])

        func submit(_ batch: CaptureBatch) { batches.update { $0.append(batch) } }

        /// What was told of exchanges that were late.
        var late: [LateSpell] { batches.value.compactMap(\.late) }

        func commit(_ isRecorded: Bool) {
            for batch in batches.value { batch.onCommit(CommitReceipt(ids: [], isRecorded: isRecorded)) }
            batches.update { $0 = [] }
        }
    }

    private static func exchange(_ outcome: Outcome, code: Int?, bytes: Int64) -> Exchange {
        var exchange = Exchange(
            timeline: Timeline(started: 0),
            method: "GET",
            scheme: .https,
            host: "a.test",
            port: 443,
            target: "/",
            request: Message(head: ByteBuffer(), body: Body(length: bytes, kept: 0, sha256: [])),
            client: Peer(token: 1, address: "", tls: nil),
            outcome: outcome
        )
        exchange.code = code
        if code != nil {
            exchange.response = Message(head: ByteBuffer(), body: Body(length: bytes * 10, kept: 0, sha256: []))
        }
        return exchange
    }

    private static func ended(_ exchange: Exchange) -> ExchangeEvent {
        .ended(1, exchange, request: ByteBuffer(), response: ByteBuffer())
    }

    @Test("Outcomes, codes, bytes and failures are counted when an exchange ends")
    func counts() {
        let sink = Hesitant()
        let meter = CaptureMeter(sink)
        var failed = Self.exchange(.failed, code: nil, bytes: 1)
        failed.failure = ExchangeFailure(side: .upstream, phase: .dns, cause: .unknownName, message: "")
        var cancelled = Self.exchange(.cancelled, code: nil, bytes: 0)
        cancelled.failure = ExchangeFailure(side: .client, phase: .deliver, cause: .closed, message: "")
        let events = [
            Self.ended(Self.exchange(.completed, code: 200, bytes: 5)),
            Self.ended(Self.exchange(.completed, code: 503, bytes: 7)),
            Self.ended(failed), Self.ended(cancelled), .opened(2, Self.exchange(.pending, code: nil, bytes: 100)),
        ]
        meter.submit(CaptureBatch(events: events) { _ in })
        let counts = meter.counts
        #expect(counts.outcomes == [.completed: 2, .failed: 1, .cancelled: 1])
        #expect(counts.classes == [2: 1, 5: 1])
        #expect(counts.requestBytes == 13 && counts.responseBytes == 120)
        #expect(counts.failures == [.init(side: .upstream, phase: .dns, cause: .unknownName): 1])
    }

    @Test("What is told of late exchanges is handed on")
    func late() {
        let sink = Hesitant()
        let late = LateSpell(count: 2, from: 3, to: 4)
        CaptureMeter(sink).submit(CaptureBatch(events: [], late: late) { _ in })
        #expect(sink.late == [late])
    }

    @Test("The lag is that of the oldest batch that waits, and none where none does; what was lost is counted")
    func lag() {
        let sink = Hesitant()
        let meter = CaptureMeter(sink)
        #expect(meter.lag == .zero)
        let told = Watched(0)
        for _ in 0..<3 {
            let event = Self.ended(Self.exchange(.completed, code: 200, bytes: 0))
            meter.submit(CaptureBatch(events: [event, event]) { _ in told.update { $0 += 1 } })
        }
        #expect(meter.lag > .zero && meter.counts.commitCount == 0)
        sink.commit(false)
        #expect(meter.lag == .zero && told.value == 3)
        let counts = meter.counts
        #expect(counts.commitCount == 3 && counts.unrecorded == 6 && counts.commitTime > .zero)
        #expect(counts.commits.reduce(0, +) <= 3)
    }
}
