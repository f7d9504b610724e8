import Foundation
import NIOCore
import Proxy
import Store
import Synchronization
import Traffic

/// Answers requests from recordings, each recording in its turn, and reports every request.
final class RecordedAnswers: AnswerSource {
    /// Which recording answers when the same request was recorded several times.
    enum Order: String, Sendable, CaseIterable {
        /// The first time the first, then the next; the last again and again.
        case recorded
        /// Always the last.
        case last
    }

    /// What became of a request.
    enum News: Sendable {
        case answered(MockRequest, Recording, code: Int)
        case failed(MockRequest, Recording, String)
        case missed(MissExplanation)
    }

    private let recordings: Recordings
    private let order: Order
    private let keepsLatency: Bool
    private let tell: @Sendable (News) -> Void
    private let queue = DispatchQueue(label: "inspect.mock", attributes: .concurrent)
    /// How often the recordings of each request were given, keyed by the first recording.
    private let turns = Mutex<[ExchangeID: Int]>([:])

    init(_ recordings: Recordings, order: Order, keepsLatency: Bool, tell: @escaping @Sendable (News) -> Void) {
        self.recordings = recordings
        self.order = order
        self.keepsLatency = keepsLatency
        self.tell = tell
    }

    func answer(_ asked: AskedRequest, _ give: @escaping @Sendable (SuppliedAnswer) -> Void) {
        queue.async { [self] in
            let request = MockRequest(asked)
            do {
                guard asked.isBodyWhole else {
                    let reason = "Its body is longer than \(AskedRequest.bodyLimitBytes) bytes, which is not compared."
                    return give(miss(MissExplanation(request: request, reason: reason)))
                }
                let (answer, delay) = try answer(request)
                guard keepsLatency, delay > 0 else { return give(answer) }
                queue.asyncAfter(deadline: .now() + .microseconds(Int(clamping: delay))) { give(answer) }
            } catch {
                give(miss(MissExplanation(request: request, reason: "The recording cannot be read: \(error.told)")))
            }
        }
    }

    private func miss(_ explanation: MissExplanation) -> SuppliedAnswer {
        tell(.missed(explanation))
        let (head, body) = explanation.response
        return .response(head: head, body: explanation.request.shape.method == "HEAD" ? nil : ReadyBody(body))
    }

    /// The answer, and the microseconds that it took when it was recorded.
    private func answer(_ request: MockRequest) throws -> (SuppliedAnswer, Int64) {
        guard !request.asksForWebSocket else {
            return (miss(try NearestRecording(recordings: recordings).explain(request)), 0)
        }
        let matches = try recordings.matches(request)
        var usable = try matches.filter { try isUsable($0, request) }
        // What was recorded for this very range is nearer than a part of the whole.
        let parts = usable.filter { $0.code == 206 || $0.code == 416 }
        if !parts.isEmpty { usable = parts }
        let isPart = parts.isEmpty && request.fields.contains("range")
        guard let recording = turn(of: usable, isPart: isPart) else {
            if let last = matches.last {
                return (miss(MissExplanation(request: request, reason: Self.reason(last), nearest: last)), 0)
            }
            return (miss(try NearestRecording(recordings: recordings).explain(request)), 0)
        }
        guard let exchange = try recordings.store.exchange(recording.id) else {
            return (
                miss(MissExplanation(request: request, reason: "Exchange \(recording.id) is gone from the store.")), 0
            )
        }
        let timeline = exchange.timeline
        let waited = (timeline.wait ?? timeline.duration ?? 0) + (timeline.send ?? 0)
        return (try again(exchange, recording, for: request), waited)
    }

    /// A recorded 304 answers conditional requests alone, and a recorded 206 or 416 requests for the same range alone.
    private func isUsable(_ recording: Recording, _ request: MockRequest) throws -> Bool {
        switch recording.code {
        case 304: return request.content.isConditional
        case 206, 416:
            guard let range = request.fields.first("range") else { return false }
            return try recordings.store.exchange(recording.id)?.request.fields.first("range") == range
        default: return true
        }
    }

    private static func reason(_ recording: Recording) -> String {
        switch recording.code {
        case 304: "Only a 304 was recorded, for a client that had the content already; it is not in the recording."
        default: "Only a part of the content was recorded, for another range."
        }
    }

    /// The recording whose turn it is; for a range request the one that was given last, so that the parts fit together.
    private func turn(of usable: [Recording], isPart: Bool) -> Recording? {
        guard let first = usable.first else { return nil }
        guard order == .recorded else { return usable.last }
        let given = turns.withLock { turns in
            let given = turns[first.id, default: 0]
            if !isPart { turns[first.id] = min(given + 1, usable.count) }
            return given
        }
        return usable[min(isPart ? max(0, given - 1) : given, usable.count - 1)]
    }

    /// Gives a recorded response again.
    private func again(_ exchange: Exchange, _ recording: Recording, for request: MockRequest) throws -> SuppliedAnswer
    {
        guard let response = exchange.response, let code = exchange.code else {
            return failed(exchange, recording, request)
        }
        guard code >= 200 else {
            let reason = "Only an interim response (\(code)) was recorded."
            return miss(MissExplanation(request: request, reason: reason, nearest: recording))
        }
        if exchange.outcome == .failed || exchange.outcome == .cancelled {
            return miss(
                MissExplanation(
                    request: request,
                    reason: "The recorded response broke off (\(exchange.failure?.message ?? "it is not whole")).",
                    nearest: recording
                )
            )
        }
        guard !response.body.isTruncated else {
            return miss(
                MissExplanation(
                    request: request,
                    reason: "Only \(response.body.kept) of the \(response.body.length) bytes of the content were kept.",
                    nearest: recording
                )
            )
        }
        let content = RecordedContent(store: recordings.store, exchange: exchange, response: response, code: code)
        do {
            return given(try content.answer(to: request.content), recording, request)
        } catch let refusal as RecordedContent.Refusal {
            return miss(MissExplanation(request: request, reason: refusal.sentence, nearest: recording))
        }
    }

    /// Tells of an answer and gives it; a recorded head that is not HTTP is a miss.
    private func given(_ answer: GivenAnswer, _ recording: Recording, _ request: MockRequest) -> SuppliedAnswer {
        if let problem = SuppliedAnswer.problem(of: answer.head, answering: request.shape.method) {
            let reason = "The recorded head is not HTTP. \(problem)"
            return miss(MissExplanation(request: request, reason: reason, nearest: recording))
        }
        tell(.answered(request, recording, code: answer.code))
        return .response(head: answer.head, body: answer.content.map { PlacedBody($0, queue: queue) })
    }

    /// A connection that the server closed is closed again; any other exchange without a response is a miss.
    private func failed(_ exchange: Exchange, _ recording: Recording, _ request: MockRequest) -> SuppliedAnswer {
        if let failure = exchange.failure, failure.side == .upstream, failure.cause.isDeparture {
            tell(.failed(request, recording, failure.message))
            return .close
        }
        let reason =
            exchange.failure.map { "The recorded exchange failed before a response (\($0.message))." }
            ?? "The recorded exchange has no response."
        return miss(MissExplanation(request: request, reason: reason, nearest: recording))
    }
}
