/// The memory that a stage decodes into, held for one call only, because a stream may wait an hour for the next.
final class DecodingBuffer {
    /// Bytes.
    static let count = 64 * 1024

    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: DecodingBuffer.count, alignment: 16)

    deinit { bytes.deallocate() }
}
