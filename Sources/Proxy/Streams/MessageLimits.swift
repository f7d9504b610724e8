/// The bounds within which the messages of a stream are read for the record; what is relayed has none of them.
struct MessageLimits: Sendable {
    /// Bytes of each message's payload that are kept.
    ///
    /// Default 1 MiB.
    var keptBytes = 1 << 20
    /// Bytes that one message may decompress to; past it, the compressed messages of that direction are no longer decoded.
    ///
    /// Default 16 MiB.
    var decodedBytes = 16 << 20
    /// Bytes of an event's type and of its ID that are kept.
    ///
    /// Default 1 KiB.
    var nameBytes = 1 << 10
}

/// How much may be decompressed of what a peer sends: honest streams stay far below, and a bomb cannot keep a loop busy.
struct DecompressionAllowance {
    /// Bytes that may be made of any stream.
    static let baseBytes: Int64 = 64 << 20
    /// Bytes that may be made of each byte that came, beyond that.
    static let ratio: Int64 = 100
    /// Bytes that may be made of one read: all that the ratio grants the longest there is, and some 20 ms of an event loop.
    static let burstBytes = 8 << 20

    private var came: Int64 = 0
    private var made: Int64 = 0
    private var burst = 0

    /// Whether no more may be made of what came.
    var isSpent: Bool { burst > Self.burstBytes || made > Self.baseBytes + came * Self.ratio }

    /// What is made from now on is made of another read.
    mutating func beginBurst() { burst = 0 }

    /// Counts bytes that came.
    mutating func take(_ count: Int) { came += Int64(count) }

    /// Counts bytes that were made of them; false when that is too many.
    mutating func make(_ count: Int) -> Bool {
        made += Int64(count)
        burst += count
        return !isSpent
    }
}
