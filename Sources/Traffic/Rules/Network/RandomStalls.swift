/// Waits that stand for lost packets: TCP hides a loss as waiting.
///
/// Of each 16 KiB so many begin with a wait. Which do follows from a seed, so that it is the same in every run.
package struct RandomStalls: Sendable {
    /// Bytes for which it is drawn once: 16 KiB.
    static let blockBytes: Int64 = 16 << 10

    /// So many of a million.
    let share: Int64
    let nanoseconds: Int64
    private var dice: RuleDice
    /// The block that was drawn last, from 0.
    private var drawn: Int64 = -1

    /// - Parameters:
    ///   - share: so many of a million.
    ///   - microseconds: how long a wait is.
    ///   - dice: what is drawn from.
    init(share: Int64, microseconds: Int64, dice: RuleDice) {
        (self.share, self.dice) = (share, dice)
        nanoseconds = microseconds * 1_000
    }

    /// Whether a wait stands before a byte of the body, counted from 0; each block is drawn once.
    mutating func isDue(at byte: Int64) -> Bool {
        let block = byte / RandomStalls.blockBytes
        guard block > drawn else { return false }
        drawn = block
        return dice.next() % 1_000_000 < UInt64(max(0, share))
    }
}
