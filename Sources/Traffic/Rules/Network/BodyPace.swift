/// Says how much of a body may pass, and when: at the rate of a line, with the stalls and in the drips that rules ask for.
///
/// Times are nanoseconds of the clock that the caller looks at.
package struct BodyPace: Sendable {
    /// What the body does next.
    package enum Step: Hashable, Sendable {
        /// Nothing passes before a moment; the caller asks again then.
        case wait(until: Int64)
        /// So many bytes pass at a moment, which may be over.
        case pass(count: Int, at: Int64)
    }

    /// A wait at a place of the body.
    package struct Stall: Hashable, Sendable {
        /// Bytes before it.
        package let place: Int64
        package let nanoseconds: Int64
    }

    /// The body in small pieces.
    package struct Drip: Hashable, Sendable {
        /// Bytes of a piece, at least 1.
        package let bytes: Int
        /// The time between two pieces.
        package let nanoseconds: Int64
    }

    private let line: RateLine?
    private var random: RandomStalls?
    /// The waits to come, in the order of their places.
    private var stalls: [Stall]
    private let drip: Drip?
    /// Bytes that have passed, or are about to.
    private var passed: Int64 = 0
    /// When the last piece of a drip passes; `nil` before the first.
    private var dripped: Int64?
    /// Bytes of the line for the last piece.
    private var taken = 0

    /// - Parameters:
    ///   - line: the line; `nil` for one that holds nothing up.
    ///   - random: the waits by chance; `nil` for none.
    ///   - stalls: the waits at places of the body.
    ///   - drip: the pieces; `nil` for pieces as they come.
    package init(line: RateLine? = nil, random: RandomStalls? = nil, stalls: [Stall] = [], drip: Drip? = nil) {
        (self.line, self.random, self.drip) = (line, random, drip)
        self.stalls = stalls.sorted { $0.place < $1.place }
    }

    /// Says what passes next.
    ///
    /// - Parameters:
    ///   - available: bytes that wait, at least 1.
    ///   - ready: since when they could pass: they came then, or what was before them has passed.
    /// - Returns: the step; the bytes that pass count as passed from then on.
    package mutating func next(_ available: Int, ready: Int64) -> Step {
        if let stall = stalls.first, passed >= stall.place {
            stalls.removeFirst()
            return .wait(until: ready + stall.nanoseconds)
        }
        // Nothing of the line is taken before the moment has come: others use it meanwhile.
        if let drip, let dripped, dripped + drip.nanoseconds > ready {
            return .wait(until: dripped + drip.nanoseconds)
        }
        if random?.isDue(at: passed) == true, let wait = random?.nanoseconds { return .wait(until: ready + wait) }
        var count = available
        if let stall = stalls.first { count = min(count, Int(clamping: stall.place - passed)) }
        if random != nil {
            count = min(count, Int(RandomStalls.blockBytes - passed % RandomStalls.blockBytes))
        }
        if let drip { count = min(count, drip.bytes) }
        var at = ready
        taken = 0
        if let line {
            (count, at) = line.take(count, ready: at)
            taken = count
        }
        if drip != nil { dripped = max(at, ready) }
        passed += Int64(count)
        return .pass(count: count, at: at)
    }

    /// Gives back to the line what the last piece had of it, which does not pass any more.
    package mutating func giveBack() {
        if taken > 0 { line?.giveBack(taken) }
        taken = 0
    }
}
