import Crypto
import NIOCore
import Traffic

/// Measures one body as it passes, and gathers the bytes to keep, in pieces of at most 256 KiB.
struct BodyCapture {
    /// A piece is handed on at this size.
    static let pieceBytes = 256 << 10

    private var digest: SHA256?
    private(set) var length: Int64 = 0
    private(set) var kept: Int64 = 0
    private let limitBytes: Int64
    /// The bytes that are gathered and not handed on yet.
    private(set) var gathered = ByteBuffer()

    init(limitBytes: Int64) { self.limitBytes = limitBytes }

    /// Takes the next bytes; returns a piece where one is full.
    mutating func take(_ bytes: ByteBuffer) -> ByteBuffer? {
        var hasher = digest.take() ?? SHA256()
        bytes.withUnsafeReadableBytes { hasher.update(bufferPointer: $0) }
        digest = hasher
        length += Int64(bytes.readableBytes)
        let room = min(limitBytes - kept, Int64(bytes.readableBytes))
        guard room > 0 else { return nil }
        kept += room
        let part =
            room == bytes.readableBytes ? bytes : bytes.getSlice(at: bytes.readerIndex, length: Int(room)) ?? bytes
        return gather(part)
    }

    /// Adds to the gathered bytes and returns them once they are full, to the byte: a buffer of one byte more would take twice the memory.
    private mutating func gather(_ part: ByteBuffer) -> ByteBuffer? {
        guard gathered.readableBytes > 0 else {
            gathered = part.own.slice()
            return part.readableBytes >= Self.pieceBytes ? handOn() : nil
        }
        var part = part
        let room = max(0, Self.pieceBytes - gathered.readableBytes)
        guard part.readableBytes >= room, let last = part.readSlice(length: room) else {
            gathered.writeImmutableBuffer(part)
            return nil
        }
        gathered.writeImmutableBuffer(last)
        let piece = handOn()
        gathered = part.own.slice()
        return piece
    }

    /// Hands on the gathered bytes.
    mutating func handOn() -> ByteBuffer {
        let piece = gathered
        gathered = ByteBuffer()
        return piece
    }

    /// The body's measures so far; the digest only at its end.
    func measure(isFinal: Bool) -> Body {
        Body(length: length, kept: kept, sha256: isFinal ? digest.map { Array($0.finalize()) } ?? [] : [])
    }
}
