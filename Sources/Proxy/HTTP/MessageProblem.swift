import Traffic

/// Why bytes are not an acceptable message: what could be read two ways is refused.
struct MessageProblem: Error, Equatable {
    /// The status code to refuse a request with: 400, 414, 417, 431, 501 or 505.
    var code: Int
    /// What the record says.
    var cause: Cause
    /// One sentence that names what was wrong, without quoting the input.
    var message: String

    init(_ message: String, code: Int = 400, cause: Cause = .malformed) {
        self.code = code
        self.cause = cause
        self.message = message
    }
}

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
