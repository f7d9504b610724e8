import NIOCore

/// Something that waits for its time, and may be content, which can pass in pieces.
protocol PacedPart {
    /// Content, of a request or a response.
    static func body(_ bytes: ByteBuffer) -> Self

    /// The content; `nil` for anything else.
    var content: ByteBuffer? { get }
}
