import NIOCore

/// The first bytes of a message's payload, and its length.
struct KeptPayload {
    /// The kept bytes, at most the limit.
    private(set) var bytes = ByteBuffer()
    /// Bytes that came in all.
    private(set) var size: Int64 = 0
    /// Whether it was cut for lack of room; the rest is only counted.
    private(set) var isCut = false
    private let limitBytes: Int

    init(limitBytes: Int) { self.limitBytes = limitBytes }

    /// Takes the next bytes; they are copied, so that a small message does not hold the buffer it came in.
    mutating func take(_ piece: ByteBuffer) { piece.withUnsafeReadableBytes { take($0) } }

    /// Takes the next bytes.
    mutating func take(_ piece: UnsafeRawBufferPointer) {
        size += Int64(piece.count)
        let room = limitBytes - bytes.readableBytes
        if room > 0, !isCut { bytes.writeBytes(piece.prefix(room)) }
    }

    /// Bytes of memory that the kept bytes hold.
    var heldBytes: Int { bytes.storageCapacity }

    /// Keeps no more than fits into so much memory, and nothing of what still comes.
    mutating func cut(to limitBytes: Int) {
        guard heldBytes > limitBytes else { return }
        isCut = true
        // Memory comes in powers of two.
        let room = limitBytes > 0 ? 1 << (Int.bitWidth - 1 - limitBytes.leadingZeroBitCount) : 0
        bytes = bytes.readSlice(length: min(room, bytes.readableBytes))?.copied ?? ByteBuffer()
    }
}
