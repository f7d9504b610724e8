import CZstd

/// Codes as one frame of Zstandard (RFC 8878) at its usual level, with a window of 1 MiB.
final class ZstdEncoderStage: EncodingStage {
    private static let level: Int32 = 3
    /// The window as a power of two, within what RFC 9659 allows.
    private static let windowLog: Int32 = 20

    private let context: OpaquePointer

    /// An encoder; `nil` when there is no memory for one.
    init?() {
        guard let context = ZSTD_createCCtx() else { return nil }
        self.context = context
        _ = ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, ZstdEncoderStage.level)
        _ = ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, ZstdEncoderStage.windowLog)
    }

    deinit { ZSTD_freeCCtx(context) }

    func encode(
        _ input: UnsafeRawBufferPointer,
        _ end: EncodingEnd,
        into coded: inout [UInt8]
    ) throws(EncodingProblem) {
        let directive =
            switch end {
            case .more: ZSTD_e_continue
            case .pause: ZSTD_e_flush
            case .end: ZSTD_e_end
            }
        let buffer = DecodingBuffer()
        var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
        while true {
            var target = ZSTD_outBuffer(dst: buffer.bytes.baseAddress, size: DecodingBuffer.count, pos: 0)
            let left = ZSTD_compressStream2(context, &target, &source, directive)
            guard ZSTD_isError(left) == 0 else { throw EncodingProblem() }
            coded.append(contentsOf: buffer.bytes.prefix(target.pos))
            if source.pos == source.size, left == 0 || end == .more { return }
        }
    }
}
