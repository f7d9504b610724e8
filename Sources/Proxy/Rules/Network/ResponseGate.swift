import DequeModule
import NIOCore
import Traffic

/// Keeps what an upstream tells until it may pass: behind a delay, half a round trip, or a narrow line.
///
/// While something waits the upstream is not read, so that what waits is one read's bytes. Only of a stream of messages, each of which takes its time
/// from when it came, more is read meanwhile: up to a limit. Times are nanoseconds of the proxy's clock. Used on the exchange's loop only.
final class ResponseGate {
    /// What the gate does next.
    enum Step {
        case tell(UpstreamNews)
        case act(() -> Void)
        case wait(until: Int64)
        /// Nothing waits, or something else is waited for.
        case rest
    }

    /// Bytes of a stream of messages that wait for their half of a round trip before reading pauses.
    private static let streamLimitBytes = 64 << 10
    /// A loop that is late by more than this loses the line for the rest: 250 ms.
    private static let lagLimit: Int64 = 250_000_000

    private var waiting = Deque<(news: UpstreamNews, ready: Int64)>()
    /// Bytes of bodies among that.
    private var waitingBytes = 0
    /// A piece that has its place on the line.
    private var due: (bytes: ByteBuffer, at: Int64)?
    /// A delay of rules, before all that waits.
    private var held: (until: Int64, then: () -> Void)?
    private var pace = BodyPace()
    /// When the piece before was to pass.
    private var passedAt = Int64.min
    /// When what came last may pass at the earliest: the order is kept.
    private var lastReady = Int64.min
    /// Whether messages of a stream wait each for itself.
    private var isOfMessages = false
    private var isLifted = false
    /// Whether what is told now has waited already.
    var isTelling = false
    /// Whether steps are being done.
    var isPassing = false
    /// Wakes the gate for the next step; `nil` where nothing waits for a time.
    var timer: Scheduled<Void>?

    /// Whether anything waits.
    var isHolding: Bool { held != nil || due != nil || !waiting.isEmpty }

    /// Whether nothing more is to be read of the upstream.
    var isFull: Bool {
        guard held == nil, isOfMessages else { return isHolding }
        return waitingBytes + (due?.bytes.readableBytes ?? 0) >= Self.streamLimitBytes
    }

    /// Has the body pass at another pace.
    func follow(_ pace: BodyPace) { if !isLifted { self.pace = pace } }

    // MARK: What comes

    /// Keeps what the upstream tells.
    ///
    /// - Parameters:
    ///   - news: what it tells.
    ///   - now: when.
    ///   - latency: how long it is on its way.
    ///   - isOfMessages: whether it is of a stream of messages, each of which takes that time.
    func take(_ news: UpstreamNews, at now: Int64, latency: Int64, isOfMessages: Bool) {
        self.isOfMessages = isOfMessages && latency > 0
        lastReady = max(lastReady, isLifted ? now : now + latency)
        if case .body(let bytes) = news { waitingBytes += bytes.readableBytes }
        waiting.append((news, lastReady))
    }

    /// Puts something back that was told, and cannot be dealt with before a delay is over.
    func putBack(_ news: UpstreamNews, at now: Int64) {
        if case .body(let bytes) = news { waitingBytes += bytes.readableBytes }
        waiting.prepend((news, now))
    }

    /// Has everything wait until a moment, at which something is done first.
    func hold(until: Int64, _ then: @escaping () -> Void) { held = (until, then) }

    // MARK: What passes

    /// The next step.
    ///
    /// - Parameters:
    ///   - now: the time.
    ///   - isUploading: whether the request is still on its way up: the response does not end before it.
    /// - Returns: the step, which counts as done where it is no wait.
    func next(_ now: Int64, isUploading: Bool) -> Step {
        if let held {
            guard held.until <= now else { return .wait(until: held.until) }
            self.held = nil
            return .act(held.then)
        }
        while due == nil, let first = waiting.first {
            guard first.ready <= now else { return .wait(until: first.ready) }
            switch first.news {
            case .body(let bytes) where bytes.readableBytes > 0: plan(bytes, first.ready, now)
            case .ended where isUploading: return .rest
            default:
                waiting.removeFirst()
                return .tell(first.news)
            }
        }
        guard let piece = due else { return .rest }
        guard piece.at <= now else { return .wait(until: piece.at) }
        due = nil
        return .tell(.body(piece.bytes))
    }

    /// Gives the next piece of a body its place on the line, or has it wait before it gets one.
    private func plan(_ bytes: ByteBuffer, _ ready: Int64, _ now: Int64) {
        switch pace.next(bytes.readableBytes, ready: max(ready, passedAt, now - Self.lagLimit)) {
        case .wait(let until): waiting[0].ready = until
        case .pass(let count, let at):
            passedAt = at
            var rest = bytes
            guard count < bytes.readableBytes, let piece = rest.readSlice(length: count) else {
                waiting.removeFirst()
                waitingBytes -= bytes.readableBytes
                due = (bytes, at)
                return
            }
            waiting[0].news = .body(rest)
            waitingBytes -= count
            due = (piece, at)
        }
    }

    // MARK: Its end

    /// Has everything pass at once from here on, since the proxy stops.
    func lift() {
        isLifted = true
        endWait()
        pace = BodyPace()
        (passedAt, lastReady) = (.min, .min)
        held?.until = .min
        due?.at = .min
        for index in waiting.indices { waiting[index].ready = .min }
    }

    /// Wakes nobody any more, and keeps nothing.
    func stop() {
        endWait()
        if due != nil { pace.giveBack() }
        waiting.removeAll()
        (due, held, waitingBytes) = (nil, nil, 0)
    }

    private func endWait() {
        timer?.cancel()
        timer = nil
    }
}
