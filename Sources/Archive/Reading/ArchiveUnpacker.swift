import Traffic

/// Unpacks the bytes of an archive's file where it is gzip (RFC 1952); a class, because its decoder is one.
package final class ArchiveUnpacker {
    /// Packed bytes to pass at a time: they may unpack to a thousand times as many.
    package static let stepBytes = 32 << 10

    private var decoder: ContentDecoder?
    private var isBegun = false
    /// Bytes of the file that have come.
    package private(set) var count: Int64 = 0

    package init() {}

    /// Takes the next bytes of the file.
    ///
    /// - Throws: `ArchiveProblem` when they cannot be unpacked.
    package func write(_ bytes: ArraySlice<UInt8>, _ give: ([UInt8]) -> Void) throws(ArchiveProblem) {
        guard !bytes.isEmpty else { return }
        count += Int64(bytes.count)
        if !isBegun {
            isBegun = true
            if bytes.starts(with: [0x1F, 0x8B]) { decoder = ContentDecoder(names: ["gzip"], limitBytes: .max) }
        }
        guard let decoder else { return give(Array(bytes)) }
        decoder.write(Array(bytes)) { give(Array($0)) }
        try check(decoder)
    }

    /// Says that the file has ended.
    ///
    /// - Throws: `ArchiveProblem` when it ends too early.
    package func finish(_ give: ([UInt8]) -> Void) throws(ArchiveProblem) {
        guard let decoder else { return }
        // Bytes that do not unpack at all are no archive.
        decoder.finish { _ in }
        try check(decoder)
    }

    private func check(_ decoder: ContentDecoder) throws(ArchiveProblem) {
        if let problem = decoder.problem { throw ArchiveProblem("cannot be unpacked: \(problem)") }
    }
}
