/// How much of an escaped text is decoded and searched at a time.
package struct SearchWindow: Sendable {
    /// What exports search with: a secret and its name are found wherever a piece ends if 64 KiB hold both.
    package static let standard = SearchWindow(bytes: 1 << 20, overlapBytes: 64 << 10)

    /// The most bytes of a stretch that become one piece.
    let bytes: Int
    /// How many of these the next piece decodes again, so that a secret at the cut is whole in one of the two pieces.
    let overlapBytes: Int

    /// - Parameters:
    ///   - bytes: the bytes of one piece.
    ///   - overlapBytes: the bytes that two pieces share; fewer than half, so that a text is decoded twice at most.
    package init(bytes: Int, overlapBytes: Int) {
        precondition(overlapBytes >= 0 && overlapBytes < bytes / 2, "the pieces of a text may share less than half")
        (self.bytes, self.overlapBytes) = (bytes, overlapBytes)
    }
}
