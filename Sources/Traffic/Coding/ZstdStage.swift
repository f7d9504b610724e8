import CZstd

/// Decodes Zstandard (RFC 8878), one frame or several.
final class ZstdStage: DecodingStage {
    /// The largest window taken, as a power of two: the 8 MiB that RFC 9659 allows a content coding.
    private static let windowLogLimit: Int32 = 23

    private let context: OpaquePointer
    /// Whether a frame has begun and not ended.
    private var isInside = false

    /// A decoder; `nil` when there is no memory for one.
    init?() {
        guard let context = ZSTD_createDCtx() else { return nil }
        self.context = context
        _ = ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, ZstdStage.windowLogLimit)
    }

    deinit { ZSTD_freeDCtx(context) }

    var heldBytes: Int { ZSTD_sizeof_DCtx(context) }

    func decode(_ input: UnsafeRawBufferPointer, _ pass: (UnsafeRawBufferPointer) -> Bool) throws(DecodingProblem) {
        guard !input.isEmpty else { return }
        let buffer = DecodingBuffer()
        var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
        while true {
            var target = ZSTD_outBuffer(dst: buffer.bytes.baseAddress, size: DecodingBuffer.count, pos: 0)
            let result = ZSTD_decompressStream(context, &target, &source)
            let made = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer.bytes).prefix(target.pos))
            if !made.isEmpty, !pass(made) { return }
            guard ZSTD_isError(result) == 0 else {
                throw .damaged("zstd", ZSTD_getErrorName(result).map { String(cString: $0) } ?? "error \(result)")
            }
            isInside = result != 0
            if source.pos == source.size, target.pos < target.size { return }
        }
    }

    func finish() throws(DecodingProblem) {
        if isInside { throw .cutShort("zstd") }
    }
}
