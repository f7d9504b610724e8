import NIOCore
import Traffic

/// What rules do to the time of one exchange, and to its response; used on the exchange's loop only.
final class ExchangeTiming {
    /// What the rules ask for so far.
    private(set) var pacing = RulePacing()
    /// Keeps what the upstream tells; `nil` where nothing waits.
    private(set) var gate: ResponseGate?
    /// The slow way to the upstream; `nil` where there is none, or none any more.
    weak var upload: PacedUpstream?
    /// The request's wait before it goes anywhere; `nil` where it does not wait.
    var delay: (timer: Scheduled<Void>, then: () -> Void)?
    /// Whether the request has waited for its delays.
    var hasDelayed = false
    /// Whether nothing waits any more, since the proxy stops.
    private(set) var isLifted = false
    /// Whether a fault has broken the response off: nothing more of it goes on.
    var isBroken = false
    /// Why the response is not what it says, where a rule has made it so.
    var falsity: ExchangeFailure?
    /// How long the throttles held the exchange up, in nanoseconds.
    private var heldNanoseconds: Int64 = 0
    /// Since when each side waits.
    private var waitingSince: [MessageSide: Int64] = [:]

    /// Whether anything waits.
    var isHolding: Bool { gate?.isHolding == true || upload?.isHolding == true }

    /// Whether faults lie on the body of the response.
    var hasFaults: Bool { !pacing.faults.parts.isEmpty }

    /// Takes what more rules ask for.
    func add(_ more: RulePacing) {
        pacing.add(more)
        guard pacing.slowsResponse, !isLifted else { return }
        opened().follow(pacing.responsePace)
    }

    /// The gate, a new one where there was none.
    func opened() -> ResponseGate {
        let gate = gate ?? ResponseGate()
        self.gate = gate
        return gate
    }

    /// How long half a round trip takes this time, in nanoseconds.
    func drawLatency() -> Int64 { isLifted ? 0 : pacing.drawLatency() * 1_000 }

    /// Changes the faults of the response.
    func withFaults<Result>(_ change: (inout FailingBody) -> Result) -> Result { change(&pacing.faults) }

    // MARK: How long it takes

    /// Notes that something of a side waits.
    func began(_ side: MessageSide, _ now: Int64) { waitingSince[side] = waitingSince[side] ?? now }

    /// Notes that nothing of a side waits any more.
    func ended(_ side: MessageSide, _ now: Int64) {
        if let since = waitingSince.removeValue(forKey: side) { heldNanoseconds += max(0, now - since) }
    }

    // MARK: Its end

    /// Has everything pass at once from here on, since the proxy stops.
    func lift() {
        guard !isLifted else { return }
        isLifted = true
        gate?.lift()
        upload?.lift()
        if let waiting = delay.take() {
            waiting.timer.cancel()
            waiting.then()
        }
    }

    /// Ends every wait, and writes down what came of it.
    func finish(_ run: inout RuleRun, _ now: Int64) {
        delay.take()?.timer.cancel()
        gate?.stop()
        upload?.abandon()
        for side in MessageSide.allCases { ended(side, now) }
        run.noteThrottled(heldNanoseconds / 1_000)
        run.noteFaults(pacing.faults)
    }
}
