/// A Bloom filter of the runs of three bytes in a text, two bits each: it tells that a needle is not in the text without reading the text.
struct TrigramFilter {
    /// Bits of a filter: 16 KiB.
    static let bitCount = 1 << 17
    /// Runs of a needle that are asked about at most; more would say little more.
    private static let askedRuns = 12

    private(set) var bytes = [UInt8](repeating: 0, count: TrigramFilter.bitCount / 8)

    /// Adds a text.
    mutating func add(_ text: UnsafeRawBufferPointer) {
        guard text.count >= 3 else { return }
        bytes.withUnsafeMutableBufferPointer { bytes in
            var run = UInt32(text[0]) << 8 | UInt32(text[1])
            for place in 2..<text.count {
                run = (run << 8 | UInt32(text[place])) & 0xFF_FFFF
                let (first, second) = TrigramFilter.bits(run)
                bytes[first >> 3] |= 1 << UInt8(truncatingIfNeeded: first & 7)
                bytes[second >> 3] |= 1 << UInt8(truncatingIfNeeded: second & 7)
            }
        }
    }

    /// Says yes to everything, for a text too long to be read.
    mutating func fill() { bytes = [UInt8](repeating: 0xFF, count: bytes.count) }

    /// Adds each byte of the filter to the number of its place, moved up by so many bits; most filters are mostly empty.
    func gather(into numbers: inout [UInt64], shift: Int) {
        bytes.withUnsafeBytes { bytes in
            var place = 0
            while place < bytes.count {
                var eight = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
                var byte = place
                while eight != 0 {
                    numbers[byte] |= (eight & 0xFF) << UInt64(shift)
                    eight >>= 8
                    byte += 1
                }
                place += 8
            }
        }
    }

    /// The bits that a text with this needle has; none for a needle of fewer than three bytes.
    static func bits(of needle: [UInt8]) -> [Int] {
        guard needle.count >= 3 else { return [] }
        var runs: Set<UInt32> = []
        var run = UInt32(needle[0]) << 8 | UInt32(needle[1])
        for byte in needle.dropFirst(2) {
            run = (run << 8 | UInt32(byte)) & 0xFF_FFFF
            runs.insert(run)
        }
        return runs.sorted().prefix(askedRuns).flatMap { run in
            let (first, second) = bits(run)
            return [first, second]
        }
    }

    @inline(__always)
    private static func bits(_ run: UInt32) -> (Int, Int) {
        let mixed = UInt64(run) &* 0x9E37_79B9_7F4A_7C15
        return (Int(mixed >> 47), Int(mixed >> 30 & 0x1_FFFF))
    }
}
