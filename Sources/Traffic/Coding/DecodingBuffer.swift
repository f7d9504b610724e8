/// The memory a stage decodes into, for the length of a call: a stream may wait for an hour for the next.
final class DecodingBuffer {
    /// Bytes.
    static let count = 64 * 1024

    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: DecodingBuffer.count, alignment: 16)

    deinit { bytes.deallocate() }
}
