/// How much may be decompressed of what one side of a stream sends: honest streams stay far below, and a bomb cannot keep a loop busy.
///
/// A class, since what a side sends may be decompressed in several places: each stage of a content coding, and the messages within.
final class DecompressionAllowance {
    /// Bytes that may be made of any stream.
    static let baseBytes: Int64 = 64 << 20
    /// Bytes that may be made of each byte that came, beyond that.
    static let ratio: Int64 = 100
    /// Of these, bytes that are no burden on the turn of the loop.
    private static let freeRatio = 16
    /// Bytes that came for each message that is none either.
    private static let bytesPerFreeMessage = 8

    private let loop: LoopAllowance
    private var came: Int64 = 0
    private var made: Int64 = 0
    private var turn: UInt64 = 0
    private var freeBytes = 0
    private var freeMessageCount = 0

    init(_ loop: LoopAllowance = LoopAllowance()) { self.loop = loop }

    /// Whether no more may be made now.
    var isSpent: Bool { made > Self.baseBytes + came * Self.ratio || (freeBytes == 0 && loop.isSpent) }

    /// Whether there is no room for a message.
    var isFull: Bool { loop.isFull }

    /// Counts bytes that came from the peer.
    func take(_ count: Int) {
        follow()
        came += Int64(count)
        freeBytes += count * Self.freeRatio
        freeMessageCount += count / Self.bytesPerFreeMessage
    }

    /// Counts bytes that were made of them; false when that is too many.
    func make(_ count: Int) -> Bool {
        follow()
        made += Int64(count)
        let paid = min(count, freeBytes)
        freeBytes -= paid
        loop.make(count - paid)
        return !isSpent
    }

    /// Counts a message; false when that is too many for what came.
    func tell() -> Bool {
        follow()
        freeMessageCount -= 1
        return loop.tell() || freeMessageCount >= 0
    }

    /// What is free is so within a turn.
    private func follow() {
        guard turn != loop.turn else { return }
        turn = loop.turn
        (freeBytes, freeMessageCount) = (0, 0)
    }
}
