import NIOCore
import Traffic

/// Takes the frames of one direction of a WebSocket out of its bytes, however they are split (RFC 6455 §5.2).
///
/// It reads a copy of what is relayed, so it never needs a whole frame: a frame of any length costs no memory.
struct WebSocketFrameReader {
    /// The header of a frame.
    struct Header: Equatable {
        var isFinal: Bool
        /// RSV1: the message that begins here is compressed, where that was agreed on.
        var isCompressed: Bool
        var opcode: WebSocketOpcode
        var length: Int64
        var isMasked: Bool
    }

    /// One step of reading.
    enum Step {
        /// A frame begins.
        case header(Header)
        /// The next payload bytes of the frame, unmasked, never empty.
        case payload(ByteBuffer)
        /// The frame is complete.
        case end
        /// More bytes are needed.
        case more
    }

    private enum State {
        /// Before a frame, or within its first bytes.
        case header
        /// Within a payload: so many bytes are still missing, and the mask goes on at byte `offset` of its four.
        case payload(left: Int64, mask: UInt32?, offset: Int)
    }

    private var state = State.header
    /// The first bytes of a header that has not wholly come: at most 13.
    private var begun = ByteBuffer()

    /// Whether the bytes may end here.
    var isBetweenFrames: Bool {
        if case .header = state { begun.readableBytes == 0 } else { false }
    }

    /// Reads the next step; call again until it is `more`.
    mutating func next(_ bytes: inout ByteBuffer) throws(StreamProblem) -> Step {
        switch state {
        case .header:
            guard let (header, mask) = try readHeader(&bytes) else { return .more }
            state = .payload(left: header.length, mask: mask, offset: 0)
            return .header(header)
        case .payload(0, _, _):
            state = .header
            return .end
        case .payload(let left, let mask, let offset):
            let count = Int(min(left, Int64(bytes.readableBytes)))
            guard count > 0, var piece = bytes.readSlice(length: count) else { return .more }
            if let mask { Self.unmask(&piece, mask, from: offset) }
            state = .payload(left: left - Int64(count), mask: mask, offset: (offset + count) & 3)
            return .payload(piece)
        }
    }

    private mutating func readHeader(_ bytes: inout ByteBuffer) throws(StreamProblem) -> (Header, mask: UInt32?)? {
        while true {
            let wanted = Self.headerLength(begun)
            let missing = wanted - begun.readableBytes
            if missing == 0 { break }
            guard var part = bytes.readSlice(length: min(missing, bytes.readableBytes)), part.readableBytes > 0 else {
                return nil
            }
            begun.writeBuffer(&part)
        }
        defer { begun.clear() }
        guard let first = begun.readInteger(as: UInt8.self), let second = begun.readInteger(as: UInt8.self) else {
            return nil
        }
        guard let opcode = WebSocketOpcode(rawValue: first & 0x0F) else {
            throw StreamProblem("a frame has the reserved opcode \(first & 0x0F)")
        }
        guard first & 0x30 == 0 else { throw StreamProblem("a frame has reserved bits that were not agreed on") }
        let isFinal = first & 0x80 != 0
        let length: Int64
        switch second & 0x7F {
        case 126: length = Int64(begun.readInteger(as: UInt16.self) ?? 0)
        case 127:
            guard let long = begun.readInteger(as: UInt64.self), let value = Int64(exactly: long) else {
                throw StreamProblem("a frame's length has its highest bit set")
            }
            length = value
        case let short: length = Int64(short)
        }
        if opcode.isControl {
            guard isFinal else { throw StreamProblem("a control frame is fragmented") }
            guard length <= 125 else { throw StreamProblem("a control frame is longer than 125 bytes") }
        }
        let isMasked = second & 0x80 != 0
        let mask = isMasked ? begun.readInteger(as: UInt32.self) : nil
        let header = Header(
            isFinal: isFinal,
            isCompressed: first & 0x40 != 0,
            opcode: opcode,
            length: length,
            isMasked: isMasked
        )
        return (header, mask)
    }

    /// The length of a header, as far as its first bytes tell.
    private static func headerLength(_ begun: ByteBuffer) -> Int {
        guard let second = begun.getInteger(at: begun.readerIndex + 1, as: UInt8.self) else { return 2 }
        let length =
            switch second & 0x7F {
            case 126: 2
            case 127: 8
            default: 0
            }
        return 2 + length + (second & 0x80 == 0 ? 0 : 4)
    }

    /// Undoes the masking of payload bytes (RFC 6455 §5.3), from byte `offset` of the mask on.
    private static func unmask(_ piece: inout ByteBuffer, _ mask: UInt32, from offset: Int) {
        // The mask, rotated to begin with that byte, and repeated to the width of a machine word.
        let turned = mask << UInt32(offset * 8) | (offset == 0 ? 0 : mask >> UInt32(32 - offset * 8))
        let wide = UInt64(turned) << 32 | UInt64(turned)
        piece.withUnsafeMutableReadableBytes { bytes in
            var index = 0
            while index + 8 <= bytes.count {
                let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                bytes.storeBytes(of: word ^ UInt64(bigEndian: wide), toByteOffset: index, as: UInt64.self)
                index += 8
            }
            while index < bytes.count {
                bytes[index] ^= UInt8(truncatingIfNeeded: turned >> UInt32(24 - (index & 3) * 8))
                index += 1
            }
        }
    }
}
