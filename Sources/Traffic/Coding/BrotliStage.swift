import CBrotli

/// Decodes Brotli (RFC 7932); its window is at most 16 MiB.
final class BrotliStage: DecodingStage {
    private let state: OpaquePointer
    private let memory = BrotliMemory()
    private var hasBegun = false
    private var hasEnded = false

    /// A decoder; `nil` when there is no memory for one.
    init?() {
        let opened = BrotliDecoderCreateInstance(
            { BrotliMemory.of($0)?.allocate($1) },
            { BrotliMemory.of($0)?.giveBack($1) },
            Unmanaged.passUnretained(memory).toOpaque()
        )
        guard let state = opened else { return nil }
        self.state = state
    }

    deinit { BrotliDecoderDestroyInstance(state) }

    var heldBytes: Int { memory.heldBytes }

    func decode(_ input: UnsafeRawBufferPointer, _ pass: (UnsafeRawBufferPointer) -> Bool) throws(DecodingProblem) {
        guard !input.isEmpty else { return }
        if hasEnded { throw .goesOn("br", input.count) }
        hasBegun = true
        let buffer = DecodingBuffer()
        var next = input.bindMemory(to: UInt8.self).baseAddress
        var available = input.count
        while true {
            var out = buffer.bytes.bindMemory(to: UInt8.self).baseAddress
            var room = DecodingBuffer.count
            let result = BrotliDecoderDecompressStream(state, &available, &next, &room, &out, nil)
            let made = DecodingBuffer.count - room
            if made > 0, !pass(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer.bytes).prefix(made))) {
                return
            }
            switch result {
            case BROTLI_DECODER_RESULT_SUCCESS:
                hasEnded = true
                if available > 0 { throw .goesOn("br", available) }
                return
            case BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT:
                // It asks for more even where it had no room for all that it has.
                if room > 0 || BrotliDecoderHasMoreOutput(state) == 0 { return }
            case BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT:
                continue
            default:
                let code = BrotliDecoderGetErrorCode(state)
                throw .damaged("br", BrotliDecoderErrorString(code).map { String(cString: $0) } ?? "unknown error")
            }
        }
    }

    func finish() throws(DecodingProblem) {
        if hasBegun, !hasEnded { throw .cutShort("br") }
    }
}
