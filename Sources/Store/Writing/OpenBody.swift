/// A body that is being stored piece by piece.
struct OpenBody: Sendable {
    /// Chunks so far.
    var chunks: Int64 = 0
    /// Bytes of the last chunk.
    var lastChunkBytes = 0
    /// Bytes of all chunks.
    var bytes: Int64 = 0
    /// Whether bytes of it were lost, so that those that follow would not join on to those that are stored.
    var isBroken = false
}
