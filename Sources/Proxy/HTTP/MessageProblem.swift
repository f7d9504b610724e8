import Traffic

/// Why bytes are refused as a message: they are malformed, or could be read in two ways.
struct MessageProblem: Error, Equatable {
    /// The status code to refuse a request with: 400, 414, 417, 431, 501 or 505.
    var code: Int
    /// The cause that the record names.
    var cause: Cause
    /// One sentence that names what was wrong, without quoting the input.
    var message: String

    init(_ message: String, code: Int = 400, cause: Cause = .malformed) {
        self.code = code
        self.cause = cause
        self.message = message
    }
}
