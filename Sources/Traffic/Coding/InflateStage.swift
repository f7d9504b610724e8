import CZlib

/// Decodes gzip (RFC 1952, several members too) and deflate (RFC 1950, and RFC 1951 bare as some servers send it).
final class InflateStage: DecodingStage {
    private enum State {
        /// Nothing has come yet → `running`, or `undecided` after one byte of deflate.
        case fresh
        /// The first byte of deflate, kept until the second tells zlib from raw → `running`.
        case undecided(UInt8)
        /// Inside a stream → `ended`.
        case running
        /// The stream ended; another gzip member may follow → `running`.
        case ended
    }

    private let coding: ContentCoding
    /// Bytes that zlib holds for a stream: a window of 32 KiB, and some 7 KiB of other things (zlib's manual).
    static let memoryBytes = 40 << 10

    private let stream: UnsafeMutablePointer<z_stream>
    private var state = State.fresh
    private var isPrepared = false

    /// A decoder for `.gzip` or `.deflate`.
    init(_ coding: ContentCoding) {
        self.coding = coding
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
    }

    deinit {
        if isPrepared { inflateEnd(stream) }
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    var heldBytes: Int { isPrepared ? InflateStage.memoryBytes : 0 }

    func decode(_ input: UnsafeRawBufferPointer, _ pass: (UnsafeRawBufferPointer) -> Bool) throws(DecodingProblem) {
        let buffer = DecodingBuffer()
        var rest = input
        while let first = rest.first {
            switch state {
            case .fresh where coding == .gzip:
                try prepare(windowBits: 15 + 16)
            case .fresh where rest.count == 1:
                state = .undecided(first)
                return
            case .fresh:
                try prepare(windowBits: InflateStage.isZlib(first, rest[1]) ? 15 : -15)
            case .undecided(let kept):
                try prepare(windowBits: InflateStage.isZlib(kept, first) ? 15 : -15)
                let isWanted = try withUnsafeBytes(of: kept) { bytes throws(DecodingProblem) in
                    try inflate(bytes, into: buffer, pass).goesOn
                }
                guard isWanted else { return }
            case .ended where coding == .gzip && first == 0x1F:
                guard inflateReset(stream) == Z_OK else { throw .damaged(coding.rawValue, "no memory") }
                state = .running
            case .ended:
                throw .goesOn(coding.rawValue, rest.count)
            case .running:
                break
            }
            let (used, goesOn) = try inflate(rest, into: buffer, pass)
            guard goesOn else { return }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(used))
        }
    }

    func finish() throws(DecodingProblem) {
        switch state {
        case .fresh, .ended: return
        case .undecided, .running: throw .cutShort(coding.rawValue)
        }
    }

    private func prepare(windowBits: Int32) throws(DecodingProblem) {
        let size = Int32(MemoryLayout<z_stream>.size)
        guard inflateInit2_(stream, windowBits, ZLIB_VERSION, size) == Z_OK else {
            throw .damaged(coding.rawValue, "no memory to decode it")
        }
        isPrepared = true
        state = .running
    }

    /// Inflates until the input is used up or the stream ends; says how much was used and whether more is wanted.
    private func inflate(
        _ input: UnsafeRawBufferPointer,
        into buffer: DecodingBuffer,
        _ pass: (UnsafeRawBufferPointer) -> Bool
    ) throws(DecodingProblem) -> (used: Int, goesOn: Bool) {
        let piece = UnsafeRawBufferPointer(rebasing: input.prefix(Int(Int32.max)))
        stream.pointee.next_in = UnsafeMutablePointer(mutating: piece.bindMemory(to: UInt8.self).baseAddress)
        stream.pointee.avail_in = UInt32(piece.count)
        while true {
            stream.pointee.next_out = buffer.bytes.bindMemory(to: UInt8.self).baseAddress
            stream.pointee.avail_out = UInt32(DecodingBuffer.count)
            let result = CZlib.inflate(stream, Z_NO_FLUSH)
            let made = DecodingBuffer.count - Int(stream.pointee.avail_out)
            let used = piece.count - Int(stream.pointee.avail_in)
            if made > 0, !pass(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer.bytes).prefix(made))) {
                return (used, false)
            }
            switch result {
            case Z_STREAM_END:
                state = .ended
                return (used, true)
            case Z_OK, Z_BUF_ERROR:
                if stream.pointee.avail_in == 0, stream.pointee.avail_out > 0 { return (used, true) }
                if result == Z_BUF_ERROR, made == 0 { throw .damaged(coding.rawValue, "it makes no progress") }
            default:
                let detail = stream.pointee.msg.map { String(cString: $0) } ?? "zlib error \(result)"
                throw .damaged(coding.rawValue, detail)
            }
        }
    }

    /// Whether two bytes are a zlib header (RFC 1950 §2.2); no DEFLATE stream of a real encoder begins so.
    private static func isZlib(_ first: UInt8, _ second: UInt8) -> Bool {
        first & 0x0F == 8 && first >> 4 <= 7 && (Int(first) << 8 | Int(second)) % 31 == 0
    }
}
