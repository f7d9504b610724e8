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

    /// Bytes that are coded between two questions whether anybody waits for them.
    private static let pieceBytes = 256 << 10

    /// A whole body with codings done.
    ///
    /// - Parameters:
    ///   - bytes: the body.
    ///   - names: its codings, in the order in which they are done.
    ///   - isWanted: whether somebody waits for it still, asked now and then.
    /// - Returns: the coded bytes; `nil` where `init` has no encoder, there is no memory, or nobody waits for them.
    static func encode(
        _ bytes: [UInt8],
        names: [String],
        while isWanted: () -> Bool = { true }
    ) -> [UInt8]? {
        guard !names.isEmpty else { return bytes }
        guard let encoder = ContentEncoder(names: names) else { return nil }
        var coded: [UInt8] = []
        var rest = bytes[...]
        repeat {
            guard isWanted() else { return nil }
            let piece = rest.prefix(pieceBytes)
            rest = rest.dropFirst(piece.count)
            do {
                try piece.withUnsafeBytes { try encoder.write($0, rest.isEmpty ? .end : .more, into: &coded) }
            } catch {
                return nil
            }
        } while !rest.isEmpty
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
