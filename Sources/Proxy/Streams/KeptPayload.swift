import NIOCore

/// The leading bytes of a message's payload, and how many it has.
struct KeptPayload {
    /// What is kept, at most the limit.
    private(set) var bytes = ByteBuffer()
    /// All that came.
    private(set) var size: Int64 = 0
    private let limitBytes: Int

    init(limitBytes: Int) { self.limitBytes = limitBytes }

    /// Takes the next bytes; they are copied, so that a small message does not hold the buffer it came in.
    mutating func take(_ piece: ByteBuffer) { piece.withUnsafeReadableBytes { take($0) } }

    /// Takes the next bytes.
    mutating func take(_ piece: UnsafeRawBufferPointer) {
        size += Int64(piece.count)
        let room = limitBytes - bytes.readableBytes
        if room > 0 { bytes.writeBytes(piece.prefix(room)) }
    }
}
