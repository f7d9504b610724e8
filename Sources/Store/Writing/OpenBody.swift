/// A body that is being stored piece by piece.
struct OpenBody: Sendable {
    /// Chunks so far.
    var chunks: Int64 = 0
    /// Bytes of the last chunk.
    var lastChunkBytes = 0
    /// Bytes of all chunks.
    var bytes: Int64 = 0
    /// Whether bytes were lost, so that later bytes would not follow on the stored ones.
    var isBroken = false
}
