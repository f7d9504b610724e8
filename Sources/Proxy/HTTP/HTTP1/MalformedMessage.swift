import NIOCore

/// The error that a codec emits before it stops reading: bytes that are no acceptable message, and why.
struct MalformedMessage: Error {
    var problem: MessageProblem
    /// The bytes of the message that had come and were not read.
    var bytes: ByteBuffer
}
