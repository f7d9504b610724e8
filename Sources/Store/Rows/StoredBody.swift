/// Where a body's kept bytes are.
struct StoredBody: Equatable, Sendable {
    /// The number that `body_chunk.id >> 20` has; `nil` when nothing was kept.
    var id: BodyID?
    /// Bytes kept.
    var kept: Int64
}
