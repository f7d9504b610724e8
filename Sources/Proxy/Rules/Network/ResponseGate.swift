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

    private var waiting = PacedQueue<UpstreamNews>()
    /// What all that waits comes behind: a delay of rules, or something whose end nobody knows yet.
    private var held: (until: Int64?, then: () -> Void)?
    /// Whether messages of a stream wait each for itself.
    private var isOfMessages = false
    /// Whether what is told now has waited already.
    var isTelling = false
    /// Whether steps are being done.
    var isPassing = false
    /// Wakes the gate for the next step; `nil` where nothing waits for a time.
    var timer: Scheduled<Void>?

    /// Whether anything waits.
    var isHolding: Bool { held != nil || !waiting.isEmpty }

    /// Whether nothing more is to be read of the upstream.
    var isFull: Bool { held == nil && isOfMessages ? waiting.isFull : isHolding }

    /// Has the body pass at another pace.
    func follow(_ pace: BodyPace) { waiting.follow(pace) }

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
        waiting.take(news, at: now, latency: latency)
    }

    /// Puts something back that was told, and cannot be dealt with before a delay is over.
    func putBack(_ news: UpstreamNews, at now: Int64) { waiting.putBack(news, at: now) }

    /// Has everything wait until a moment, at which something is done first.
    func hold(until: Int64, _ then: @escaping () -> Void) { held = (until, then) }

    /// Has everything wait until a moment is said.
    func hold() { held = (nil, {}) }

    /// Whether everything waits.
    var isHeld: Bool { held != nil }

    // MARK: What passes

    /// The next step.
    ///
    /// - Parameters:
    ///   - now: the time.
    ///   - isUploading: whether the request is still on its way up: the response does not end before it.
    /// - Returns: the step, which counts as done where it is no wait.
    func next(_ now: Int64, isUploading: Bool) -> Step {
        if let held {
            guard let until = held.until else { return .rest }
            guard until <= now else { return .wait(until: until) }
            self.held = nil
            return .act(held.then)
        }
        if isUploading, case .ended = waiting.first { return .rest }
        switch waiting.next(now) {
        case .pass(let news): return .tell(news)
        case .wait(let until): return .wait(until: until)
        case .rest: return .rest
        }
    }

    // MARK: Its end

    /// Has everything pass at once from here on, since the proxy stops.
    func lift() {
        endWait()
        if held?.until != nil { held?.until = .min }
        waiting.lift()
    }

    /// Wakes nobody any more, and keeps nothing.
    func stop() {
        endWait()
        held = nil
        waiting.clear()
    }

    private func endWait() {
        timer?.cancel()
        timer = nil
    }
}
