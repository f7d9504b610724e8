import NIOCore

/// What the record of streams may cost one event loop within a turn, all streams together: a read may hold parts of hundreds of them, and each may hold
/// a thousand times what it weighs.
///
/// Used on the loop only.
final class LoopAllowance {
    /// Bytes that may be decompressed of one piece of a stream beyond what honest streams make of what came: some 20 ms.
    static let burstBytes = 8 << 20
    /// The same of a turn, past which further pieces wait for the next one.
    static let turnBytes = 4 << 20
    /// Messages of a piece that are told whatever came, and of a turn past which the loop has told many.
    static let messageLimitCount = 4_096

    /// What bounds the memory of open streams, and of messages on their way to the record.
    let budget: CaptureBudget
    private let loop: (any EventLoop)?
    /// Which turn it is; begins anew once everything that was ready has been read.
    private(set) var turn: UInt64 = 1
    private var isTurnWatched = false
    private var madeBytes = 0
    private var toldCount = 0

    /// - Parameters:
    ///   - loop: whose turns count; `nil` where `endTurn` says when one is over.
    ///   - budget: the record's.
    init(loop: (any EventLoop)? = nil, budget: CaptureBudget = CaptureBudget(limitBytes: .max)) {
        self.loop = loop
        self.budget = budget
    }

    /// Whether enough was decompressed within this turn.
    var hasMadeEnough: Bool { madeBytes > Self.turnBytes }

    /// Whether there were many messages in this turn.
    var hasToldMany: Bool { toldCount > Self.messageLimitCount }

    /// Counts bytes that were decompressed.
    func make(_ bytes: Int) {
        watchTurn()
        madeBytes += bytes
    }

    /// Counts a message.
    func tell() {
        watchTurn()
        toldCount += 1
    }

    /// Whether there is no room for a message: there were many in this turn, and as much is on its way to the record as may be, so that no read is made
    /// any more; but what was read may hold a message in every other byte.
    var isFull: Bool { hasToldMany && budget.isExhausted }

    /// Another turn begins.
    func endTurn() {
        turn += 1
        isTurnWatched = false
        madeBytes = 0
        toldCount = 0
    }

    private func watchTurn() {
        guard !isTurnWatched, let loop else { return }
        isTurnWatched = true
        loop.assumeIsolated().execute { [self] in endTurn() }
    }
}
