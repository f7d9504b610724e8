/// A slow network, which the exchanges of a rule share.
package struct RuleThrottle: Hashable, Sendable {
    /// What shares a line.
    package enum Scope: String, Hashable, Sendable, CaseIterable {
        /// All exchanges of the rule.
        case rule
        /// The exchanges with one host.
        case host
        /// The exchanges of one connection of a client's.
        case connection
        /// Nothing: each exchange has a line of its own.
        case exchange
    }

    /// The longest round trip, jitter and wait for a look-up: 60 s, in microseconds.
    static let timeLimit: Int64 = 60_000_000

    /// The preset that it began with; `nil` for none.
    package var preset: String?
    /// The rate of responses; `nil` for no limit.
    package var down: ByteRate?
    /// The rate of requests; `nil` for no limit.
    package var up: ByteRate?
    /// The time of a round trip, half of it each way: microseconds.
    package var roundTrip: Int64 = 0
    /// By how much a round trip may be shorter or longer: microseconds.
    package var jitter: Int64 = 0
    /// Of each 16 KiB, so many of a million begin with a wait.
    package var stall: Int64 = 0
    /// How much longer a look-up of a name takes: microseconds.
    package var lookUp: Int64 = 0
    package var scope = Scope.rule
    /// The message in whose phases it is decided; with the response, only the way back is slow.
    package var side = MessageSide.request

    package init() {}

    /// Whether it slows nothing.
    var isEmpty: Bool {
        down == nil && up == nil && roundTrip == 0 && jitter == 0 && stall == 0 && lookUp == 0
    }

    /// How long a stall is, in microseconds: as long as TCP takes to notice a loss.
    var stallMicroseconds: Int64 { max(200_000, 2 * roundTrip) }

    /// The throttle in words: `slow-4g`, `slow-4g, down 800 kbit/s`, `down 1 Mbit/s, round trip 100 ms`.
    package var text: String {
        let usual = preset.flatMap(NetworkPreset.named)?.throttle ?? RuleThrottle()
        var parts = preset.map { [$0] } ?? []
        if let down, down != usual.down { parts.append("down \(down)") }
        if let up, up != usual.up { parts.append("up \(up)") }
        if roundTrip != usual.roundTrip { parts.append("round trip \(RuleDelay.text(roundTrip))") }
        if jitter != usual.jitter { parts.append("jitter \(RuleDelay.text(jitter))") }
        if stall != usual.stall { parts.append("stalls \(Double(stall) / 10_000)%") }
        if lookUp != usual.lookUp { parts.append("look-ups \(RuleDelay.text(lookUp))") }
        return parts.joined(separator: ", ")
    }
}
