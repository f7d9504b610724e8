/// How much may be decompressed of what one side of a stream sends; honest streams stay far below it, and a bomb cannot keep a loop busy.
///
/// A side waits for another turn of the loop where other streams made too much in this one. It is read no further where one piece of its own bytes
/// made too much.
///
/// It is a class, since a side's bytes may be decompressed in several places: each stage of a content coding, and the messages within.
final class DecompressionAllowance {
    /// Bytes that may be made of any stream.
    static let baseBytes: Int64 = 64 << 20
    /// Bytes that may be made of each byte that came, beyond that.
    static let ratio: Int64 = 100
    /// Bytes that are read at once of what may be a thousand times as much: what gzip makes of them is far below what one piece may become.
    private static let pieceBytes = 2 << 10
    /// The same of what a stream ends with in a turn in which enough was made; gzip makes half of that at most.
    private static let lastPieceBytes = 64
    private static let lastPieceMadeBytes = 128 << 10
    /// Bytes made of each byte that came that do not count against the turn of the loop.
    private static let freeRatio = 16
    /// Bytes that came for each message that does not count against the turn.
    private static let bytesPerFreeMessage = 8

    private let loop: LoopAllowance
    private var came: Int64 = 0
    private var made: Int64 = 0
    private var turn: UInt64 = 0
    private var freeBytes = 0
    private var freeMessageCount = 0
    /// Bytes made of the piece that is being read, without those that are free.
    private var pieceMadeBytes = 0
    private var pieceMessageCount = 0
    private var pieceLimitBytes = LoopAllowance.burstBytes

    init(_ loop: LoopAllowance = LoopAllowance()) { self.loop = loop }

    /// Whether no more may be made of the piece that is being read, or of the side.
    var isSpent: Bool {
        follow()
        return made > Self.baseBytes + came * Self.ratio || pieceMadeBytes > pieceLimitBytes
    }

    /// Whether there is no room for a message.
    var isFull: Bool { loop.isFull }

    /// Counts bytes that came from the peer.
    func take(_ count: Int) {
        follow()
        came += Int64(count)
        freeBytes += count * Self.freeRatio
        freeMessageCount += count / Self.bytesPerFreeMessage
    }

    /// Counts bytes that waited and end the stream: what is free of them is free in this turn too, as far as the turn has room for ends.
    func takeLast(_ count: Int) {
        follow()
        let count = loop.takeLast(count)
        freeBytes = max(freeBytes, count * Self.freeRatio)
        freeMessageCount = max(freeMessageCount, count / Self.bytesPerFreeMessage)
    }

    /// Begins the next piece, if it need not wait for another turn.
    ///
    /// The end of a stream is read in any turn, as far as it makes no more than honest streams do: it may get no other turn.
    ///
    /// - Parameters:
    ///   - count: bytes that are there.
    ///   - isLast: whether nothing comes behind them.
    ///   - tells: whether a few of them may hold any number of messages.
    /// - Returns: how many of them to read now; none where they have to wait.
    func beginPiece(of count: Int, isLast: Bool, tells: Bool) -> Int {
        follow()
        guard loop.hasMadeEnough || (tells && loop.hasToldMany) else {
            begin(limitBytes: LoopAllowance.burstBytes)
            return min(count, Self.pieceBytes)
        }
        guard isLast, freeBytes > 0, !tells || freeMessageCount >= 0 else { return 0 }
        begin(limitBytes: Self.lastPieceMadeBytes)
        return min(count, Self.lastPieceBytes)
    }

    private func begin(limitBytes: Int) { (pieceMadeBytes, pieceMessageCount, pieceLimitBytes) = (0, 0, limitBytes) }

    /// Counts bytes that were decompressed; returns false where they are too many.
    func make(_ count: Int) -> Bool {
        follow()
        made += Int64(count)
        let paid = min(count, freeBytes)
        freeBytes -= paid
        pieceMadeBytes += count - paid
        loop.make(count - paid)
        return !isSpent
    }

    /// Counts a message; returns false where the piece has too many for the bytes that came.
    func tell() -> Bool {
        follow()
        loop.tell()
        freeMessageCount -= 1
        pieceMessageCount += 1
        return pieceMessageCount <= LoopAllowance.messageLimitCount || freeMessageCount >= 0
    }

    /// What is free is so within a turn, which ends also where nothing is made of what came in it.
    private func follow() {
        let now = loop.currentTurn()
        guard turn != now else { return }
        turn = now
        (freeBytes, freeMessageCount) = (0, 0)
        begin(limitBytes: LoopAllowance.burstBytes)
    }
}
