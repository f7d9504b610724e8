import NIOCore

/// An answer that is given in a server's place, its content not read yet.
struct GivenAnswer: Sendable {
    /// As an HTTP/1.1 server would send it.
    let head: ByteBuffer
    let code: Int
    /// `nil` where nothing follows the head.
    let content: PlacedContent?
}
