import NIOCore

/// The bounds of what recording streams may cost one event loop within a turn, all streams together.
///
/// A read may hold parts of hundreds of streams, each of which may decompress to a thousand times its size.
///
/// Used on the loop only.
final class LoopAllowance {
    /// Bytes that may be decompressed of one piece of a stream beyond what honest streams make of what came: some 20 ms.
    static let burstBytes = 8 << 20
    /// The same for a turn; past it further pieces wait for the next turn.
    static let turnBytes = 4 << 20
    /// Bytes of what streams end with that are read in a turn whatever others made in it, all streams together: honest ones make a burst of them.
    static let lastBytes = 512 << 10
    /// Messages of a piece that are told whatever came, and of a turn past which the loop has told many.
    static let messageLimitCount = 4_096

    /// The budget of the memory of open streams, and of messages on their way to the record.
    let budget: CaptureBudget
    private let loop: (any EventLoop)?
    private var turn: UInt64 = 1
    private var isTurnWatched = false
    private var madeBytes = 0
    private var toldCount = 0
    private var lastLeftBytes = lastBytes

    /// - Parameters:
    ///   - loop: the loop whose turns count; `nil` where `endTurn` ends them.
    ///   - budget: the record's budget.
    init(loop: (any EventLoop)? = nil, budget: CaptureBudget = CaptureBudget(limitBytes: .max)) {
        self.loop = loop
        self.budget = budget
    }

    /// Which turn it is; asked before anything is counted, and over once everything that is ready has been read.
    func currentTurn() -> UInt64 {
        if !isTurnWatched, let loop {
            isTurnWatched = true
            loop.assumeIsolated().execute { [self] in endTurn() }
        }
        return turn
    }

    /// Whether enough was decompressed within this turn.
    var hasMadeEnough: Bool { madeBytes > Self.turnBytes }

    /// Whether there were many messages in this turn.
    var hasToldMany: Bool { toldCount > Self.messageLimitCount }

    /// Counts bytes that were decompressed.
    func make(_ bytes: Int) { madeBytes += bytes }

    /// Counts a message.
    func tell() { toldCount += 1 }

    /// Counts bytes that a stream ends with; returns how many of them are within what a turn has for that.
    func takeLast(_ bytes: Int) -> Int {
        let taken = min(bytes, lastLeftBytes)
        lastLeftBytes -= taken
        return taken
    }

    /// Whether there is no room for a message: there were many in this turn, and the budget is exhausted.
    ///
    /// An exhausted budget stops reads, but the bytes that were read may hold a message in every other byte.
    var isFull: Bool { hasToldMany && budget.isExhausted }

    /// Begins another turn.
    func endTurn() {
        turn += 1
        isTurnWatched = false
        madeBytes = 0
        toldCount = 0
        lastLeftBytes = Self.lastBytes
    }
}
