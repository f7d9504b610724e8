import NIOCore

extension MalformedMessage {
    /// The leading bytes that the record keeps.
    ///
    /// - Parameters:
    ///   - limitBytes: how many are kept at most.
    ///   - sender: who sent the message, in words: `the client`.
    /// - Returns: the bytes, and a sentence for the record where they are not all that came.
    func kept(limitBytes: Int, from sender: String) -> (bytes: ByteBuffer, warning: String?) {
        let start = bytes.getSlice(at: bytes.readerIndex, length: min(bytes.readableBytes, limitBytes)) ?? ByteBuffer()
        guard start.readableBytes < bytes.readableBytes else { return (start, nil) }
        let counts = "\(start.readableBytes) of the \(bytes.readableBytes) bytes"
        return (start, "Only the first \(counts) that had come from \(sender) are kept.")
    }
}
