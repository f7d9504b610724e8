/// The content of an answer, or a part of it, where it lies: in a file or in the store.
struct PlacedContent: Sendable {
    /// The bytes that are given.
    let range: Range<Int64>
    private let read: @Sendable (_ offset: Int64, _ limitBytes: Int) throws -> [UInt8]

    /// - Parameters:
    ///   - range: the bytes that are given.
    ///   - read: reads bytes at an offset, at most so many; fewer only at the end.
    init(_ range: Range<Int64>, read: @escaping @Sendable (_ offset: Int64, _ limitBytes: Int) throws -> [UInt8]) {
        (self.range, self.read) = (range, read)
    }

    /// Reads bytes that are given.
    ///
    /// - Parameters:
    ///   - offset: counts from the beginning of what is given.
    ///   - limitBytes: bytes to read at most.
    /// - Returns: the bytes; none at the end, and where the place ends earlier than was said.
    /// - Throws: what keeps from reading.
    func bytes(at offset: Int64, limitBytes: Int) throws -> [UInt8] {
        let start = range.lowerBound + offset
        guard start < range.upperBound else { return [] }
        return try read(start, Int(min(Int64(limitBytes), range.upperBound - start)))
    }
}
