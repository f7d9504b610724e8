import CBrotli

/// Codes as Brotli (RFC 7932) at a quality that keeps up with a network, with a window of 256 KiB.
final class BrotliEncoderStage: EncodingStage {
    private static let quality: UInt32 = 4
    /// The window as a power of two.
    private static let windowLog: UInt32 = 18

    private let state: OpaquePointer

    /// An encoder; `nil` when there is no memory for one.
    init?() {
        guard let state = BrotliEncoderCreateInstance(nil, nil, nil) else { return nil }
        self.state = state
        BrotliEncoderSetParameter(state, BROTLI_PARAM_QUALITY, BrotliEncoderStage.quality)
        BrotliEncoderSetParameter(state, BROTLI_PARAM_LGWIN, BrotliEncoderStage.windowLog)
    }

    deinit { BrotliEncoderDestroyInstance(state) }

    func encode(
        _ input: UnsafeRawBufferPointer,
        _ end: EncodingEnd,
        into coded: inout [UInt8]
    ) throws(EncodingProblem) {
        let operation =
            switch end {
            case .more: BROTLI_OPERATION_PROCESS
            case .pause: BROTLI_OPERATION_FLUSH
            case .end: BROTLI_OPERATION_FINISH
            }
        let buffer = DecodingBuffer()
        var next = input.bindMemory(to: UInt8.self).baseAddress
        var available = input.count
        repeat {
            var out = buffer.bytes.bindMemory(to: UInt8.self).baseAddress
            var room = DecodingBuffer.count
            guard BrotliEncoderCompressStream(state, operation, &available, &next, &room, &out, nil) != 0 else {
                throw EncodingProblem()
            }
            coded.append(contentsOf: buffer.bytes.prefix(DecodingBuffer.count - room))
        } while available > 0 || BrotliEncoderHasMoreOutput(state) != 0
    }
}
