import NIOCore

/// Bytes that are no acceptable message, with why: the error a codec emits before it stops reading.
struct MalformedMessage: Error {
    var problem: MessageProblem
    /// What had come of the message and was not read.
    var bytes: ByteBuffer
}
