/// Does a body's content codings piece by piece, in the order of its Content-Encoding, holding a few MiB at most whatever the body's length.
final class ContentEncoder {
    private let stages: [any EncodingStage]

    /// An encoder; `nil` where a coding is unknown, where there are more of them than are undone, and where there is no memory for it.
    init?(names: [String]) {
        guard names.count <= ContentDecoder.codingsLimit else { return nil }
        var stages: [any EncodingStage] = []
        for name in names {
            guard let stage = ContentCoding(name: name)?.encoder() else { return nil }
            stages.append(stage)
        }
        self.stages = stages
    }

    /// Codes the next bytes, and appends what is ready.
    ///
    /// - Throws: `EncodingProblem` when there is no memory.
    func write(_ bytes: UnsafeRawBufferPointer, _ end: EncodingEnd, into coded: inout [UInt8]) throws {
        guard let first = stages.first else { return coded.append(contentsOf: bytes) }
        var input: [UInt8] = []
        try first.encode(bytes, end, into: &input)
        for stage in stages.dropFirst() {
            var output: [UInt8] = []
            try input.withUnsafeBytes { try stage.encode($0, end, into: &output) }
            input = output
        }
        coded += input
    }

    /// A whole body with codings done.
    ///
    /// - Returns: the coded bytes; `nil` where `init` has no encoder, or there is no memory.
    static func encode(_ bytes: [UInt8], names: [String]) -> [UInt8]? {
        guard let encoder = ContentEncoder(names: names) else { return nil }
        var coded: [UInt8] = []
        do { try bytes.withUnsafeBytes { try encoder.write($0, .end, into: &coded) } } catch { return nil }
        return coded
    }
}

extension ContentCoding {
    /// A fresh encoder; `nil` when its library cannot give one, for lack of memory.
    fileprivate func encoder() -> (any EncodingStage)? {
        switch self {
        case .gzip, .deflate: DeflateStage(self)
        case .brotli: BrotliEncoderStage()
        case .zstd: ZstdEncoderStage()
        }
    }
}
