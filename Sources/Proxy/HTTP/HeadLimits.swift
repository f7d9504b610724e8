/// The sizes past which a head is refused.
struct HeadLimits: Sendable {
    /// Bytes of a whole head, and of a trailer section.
    ///
    /// Default 256 KiB.
    var headBytes = 256 << 10
    /// Bytes of a request line.
    ///
    /// Default 64 KiB.
    var startLineBytes = 64 << 10
    /// Field lines of a head.
    ///
    /// Default 1,000.
    var fieldCount = 1_000
}
