import CZlib

/// Codes as gzip (RFC 1952) or as deflate in the zlib format (RFC 1950); it holds zlib's window, some 256 KB.
final class DeflateStage: EncodingStage {
    /// The level of bodies that are coded while they pass.
    static let fastLevel: Int32 = 4

    private let stream: UnsafeMutablePointer<z_stream>

    /// An encoder; `nil` when there is no memory for one.
    ///
    /// - Parameters:
    ///   - coding: gzip, or else deflate.
    ///   - level: from 1, the fastest, to 9; -1 for zlib's own choice.
    init?(_ coding: ContentCoding, level: Int32 = DeflateStage.fastLevel) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let windowBits: Int32 = coding == .gzip ? 15 + 16 : 15
        let size = Int32(MemoryLayout<z_stream>.size)
        let result = deflateInit2_(
            stream,
            level,
            Z_DEFLATED,
            windowBits,
            8,
            Z_DEFAULT_STRATEGY,
            ZLIB_VERSION,
            size
        )
        guard result == Z_OK else {
            stream.deinitialize(count: 1)
            stream.deallocate()
            return nil
        }
    }

    deinit {
        deflateEnd(stream)
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    func encode(
        _ input: UnsafeRawBufferPointer,
        _ end: EncodingEnd,
        into coded: inout [UInt8]
    ) throws(EncodingProblem) {
        let flush =
            switch end {
            case .more: Z_NO_FLUSH
            case .pause: Z_SYNC_FLUSH
            case .end: Z_FINISH
            }
        var rest = input
        repeat {
            let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(Int(Int32.max)))
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(piece.count))
            try encode(piece, rest.isEmpty ? flush : Z_NO_FLUSH, into: &coded)
        } while !rest.isEmpty
    }

    private func encode(
        _ piece: UnsafeRawBufferPointer,
        _ flush: Int32,
        into coded: inout [UInt8]
    ) throws(EncodingProblem) {
        let buffer = DecodingBuffer()
        stream.pointee.next_in = UnsafeMutablePointer(mutating: piece.bindMemory(to: UInt8.self).baseAddress)
        stream.pointee.avail_in = UInt32(piece.count)
        repeat {
            stream.pointee.next_out = buffer.bytes.bindMemory(to: UInt8.self).baseAddress
            stream.pointee.avail_out = UInt32(DecodingBuffer.count)
            let result = deflate(stream, flush)
            // zlib reports when it has nothing to do; that is no fault.
            guard result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR else { throw EncodingProblem() }
            coded.append(contentsOf: buffer.bytes.prefix(DecodingBuffer.count - Int(stream.pointee.avail_out)))
        } while stream.pointee.avail_out == 0
    }
}
