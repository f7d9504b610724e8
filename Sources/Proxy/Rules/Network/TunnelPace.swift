import NIOCore
import Traffic

/// One direction of a tunnel through a slow network: what waits for its time; used on the tunnel's loop only.
final class TunnelPace {
    /// What passes in order.
    enum Part: PacedPart {
        case body(ByteBuffer)
        /// Nothing more comes.
        case end

        var content: ByteBuffer? { if case .body(let bytes) = self { bytes } else { nil } }
    }

    private let loop: ProxyLoop
    private var pacing: RulePacing
    private var waiting = PacedQueue<Part>()
    private var timer: Scheduled<Void>?
    private var isLifted = false

    init(_ pacing: RulePacing, _ side: MessageSide, _ loop: ProxyLoop) {
        (self.pacing, self.loop) = (pacing, loop)
        waiting.follow(side == .request ? pacing.requestPace : pacing.responsePace)
        waiting.limitBytes = pacing.windowBytes(side)
    }

    /// Whether nothing waits.
    var isEmpty: Bool { waiting.isEmpty }
    /// Whether no more is to be read.
    var isFull: Bool { waiting.isFull }

    /// Takes what came.
    func take(_ part: Part) {
        waiting.take(part, at: loop.nanoseconds, latency: isLifted ? 0 : pacing.drawLatency() * 1_000)
    }

    /// Gives what may pass now.
    ///
    /// - Parameters:
    ///   - give: takes each part.
    ///   - again: called when the next may pass.
    func pass(_ give: (Part) -> Void, again: @escaping () -> Void) { pass(at: loop.nanoseconds, give, again: again) }

    private func pass(at now: Int64, _ give: (Part) -> Void, again: @escaping () -> Void) {
        guard timer == nil else { return }
        while true {
            switch waiting.next(now) {
            case .pass(let part): give(part)
            case .rest: return
            case .wait(let until):
                timer = loop.loop.assumeIsolated().scheduleTask(in: .nanoseconds(max(0, until - now))) { [self] in
                    timer = nil
                    again()
                }
                return
            }
        }
    }

    /// Has everything pass at once from here on, since the proxy stops.
    func lift() {
        isLifted = true
        endWait()
        waiting.lift()
    }

    /// Wakes nobody any more, and keeps nothing.
    func stop() {
        endWait()
        waiting.clear()
    }

    private func endWait() {
        timer?.cancel()
        timer = nil
    }
}
