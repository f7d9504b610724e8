import CZlib

/// Codes bytes as one gzip member (RFC 1952), piece by piece; it holds zlib's window, some 256 KB.
package final class GzipEncoder {
    private let stage = DeflateStage(.gzip, level: Z_DEFAULT_COMPRESSION)

    package init() {}

    /// Codes the next bytes.
    ///
    /// - Parameters:
    ///   - bytes: the next ones.
    ///   - isFlushed: whether everything that was taken can be decoded from what is returned.
    /// - Returns: the coded bytes that are ready.
    /// - Throws: `EncodingProblem` when there is no memory.
    package func write(_ bytes: some Collection<UInt8>, isFlushed: Bool = false) throws -> [UInt8] {
        try code(Array(bytes), isFlushed ? .pause : .more)
    }

    /// Ends the member; nothing can be written after it.
    ///
    /// - Returns: the last coded bytes.
    /// - Throws: `EncodingProblem` when there is no memory.
    package func finish() throws -> [UInt8] { try code([], .end) }

    private func code(_ bytes: [UInt8], _ end: EncodingEnd) throws -> [UInt8] {
        guard let stage else { throw EncodingProblem() }
        var coded: [UInt8] = []
        try bytes.withUnsafeBytes { try stage.encode($0, end, into: &coded) }
        return coded
    }
}
