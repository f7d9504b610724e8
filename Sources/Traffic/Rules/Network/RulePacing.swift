/// What rules do to the time that an exchange takes, and to its response on the way to the client.
package struct RulePacing: Sendable {
    /// Who shares the lines of throttles with an exchange.
    package struct Sharer: Sendable {
        package var host: String
        /// The client's connection: a text that no other has.
        package var connection: String

        package init(host: String, connection: String) { (self.host, self.connection) = (host, connection) }
    }

    /// How long the message waits, in microseconds.
    package var delay: Int64 = 0
    /// The lines of both directions; `nil` where none is narrow.
    package var down: RateLine?
    package var up: RateLine?
    /// How long the way up and the way back take, in microseconds.
    package var roundTrip: Int64 = 0
    /// By how much a round trip may be shorter or longer, in microseconds.
    package var jitter: Int64 = 0
    /// How much longer a look-up of a name takes, in microseconds.
    package var lookUp: Int64 = 0
    package var stalls: RandomStalls?
    /// What the jitter is drawn from.
    package var dice = RuleDice(seed: 0)
    /// The faults of the response.
    package var faults = FailingBody()

    package init() {}

    /// Whether the way up is slow.
    package var slowsRequest: Bool { up != nil || hasLatency || lookUp > 0 }

    /// Whether something of the response has to wait: the way back is slow, or the way up, since a response does not end before its request.
    package var slowsResponse: Bool {
        down != nil || up != nil || hasLatency || stalls != nil || !stallsOfFaults.isEmpty || dripOfFaults != nil
    }

    /// Whether each way takes a time of its own.
    package var hasLatency: Bool { roundTrip > 0 || jitter > 0 }

    /// Adds what rules that were decided later do: the narrower line of each direction stands, and the longer times.
    package mutating func add(_ other: RulePacing) {
        if let line = other.down, line.rate < down?.rate ?? .greatest { down = line }
        if let line = other.up, line.rate < up?.rate ?? .greatest { up = line }
        if other.roundTrip > roundTrip || !hasLatency { (roundTrip, dice) = (other.roundTrip, other.dice) }
        jitter = max(jitter, other.jitter)
        lookUp = max(lookUp, other.lookUp)
        if let more = other.stalls, more.share > stalls?.share ?? 0 { stalls = more }
        faults.add(other.faults.parts)
    }

    /// How long half a round trip takes this time, in microseconds.
    package mutating func drawLatency() -> Int64 {
        guard jitter > 0 else { return roundTrip / 2 }
        let drift = Int64(dice.next() % UInt64(2 * jitter + 1)) - jitter
        return max(0, (roundTrip + drift) / 2)
    }

    /// Bytes that may be on their way on a side at once, so that latency alone does not make a line narrower than it is: 64 KiB, and as much as the line
    /// carries in half a round trip, 1 MiB at most.
    package func windowBytes(_ side: MessageSide) -> Int {
        let (least, most) = (64 << 10, 1 << 20)
        guard hasLatency else { return least }
        guard let line = side == .request ? up : down else { return most }
        let carried = Double(line.rate.bytesPerSecond) * Double(roundTrip + jitter) / 2_000_000
        return min(most, least + Int(min(carried, Double(most))))
    }

    /// The pace of the request's body.
    package var requestPace: BodyPace { BodyPace(line: up) }

    /// The pace of the response's body.
    package var responsePace: BodyPace {
        BodyPace(line: down, random: stalls, stalls: stallsOfFaults, drip: dripOfFaults)
    }

    private var stallsOfFaults: [BodyPace.Stall] {
        faults.parts.compactMap { part in
            guard case .stall(let place, let time) = part.fault.kind else { return nil }
            return BodyPace.Stall(place: place, nanoseconds: time * 1_000)
        }
    }

    private var dripOfFaults: BodyPace.Drip? {
        for part in faults.parts {
            guard case .drip(let bytes, let time) = part.fault.kind else { continue }
            return BodyPace.Drip(bytes: bytes, nanoseconds: time * 1_000)
        }
        return nil
    }
}

extension ByteRate {
    fileprivate static let greatest = ByteRate(bytesPerSecond: .max)
}
