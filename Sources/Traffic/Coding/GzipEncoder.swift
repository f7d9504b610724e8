import CZlib

/// Codes bytes as one gzip member (RFC 1952), piece by piece; it holds zlib's window, some 256 KB.
package final class GzipEncoder {
    /// There was no memory to code with.
    package struct OutOfMemory: Error {}

    private let stream: UnsafeMutablePointer<z_stream>
    private let isPrepared: Bool

    package init() {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let size = Int32(MemoryLayout<z_stream>.size)
        isPrepared =
            deflateInit2_(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
            == Z_OK
    }

    deinit {
        if isPrepared { deflateEnd(stream) }
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    /// Codes the next bytes.
    ///
    /// - Parameters:
    ///   - bytes: the next ones.
    ///   - isFlushed: whether everything that was taken can be decoded from what is returned.
    /// - Returns: the coded bytes that are ready.
    /// - Throws: `OutOfMemory` when there is no memory.
    package func write(_ bytes: some Collection<UInt8>, isFlushed: Bool = false) throws -> [UInt8] {
        try code(Array(bytes), isFlushed ? Z_SYNC_FLUSH : Z_NO_FLUSH)
    }

    /// Ends the member; nothing can be written after it.
    ///
    /// - Returns: the last coded bytes.
    /// - Throws: `OutOfMemory` when there is no memory.
    package func finish() throws -> [UInt8] { try code([], Z_FINISH) }

    private func code(_ bytes: [UInt8], _ flush: Int32) throws -> [UInt8] {
        guard isPrepared else { throw OutOfMemory() }
        var bytes = bytes
        var coded: [UInt8] = []
        try bytes.withUnsafeMutableBufferPointer { input in
            stream.pointee.next_in = input.baseAddress
            stream.pointee.avail_in = UInt32(input.count)
            let room = 32 << 10
            var isFull = true
            while isFull {
                var result = Z_OK
                let made = [UInt8](unsafeUninitializedCapacity: room) { output, written in
                    stream.pointee.next_out = output.baseAddress
                    stream.pointee.avail_out = UInt32(room)
                    result = deflate(stream, flush)
                    written = room - Int(stream.pointee.avail_out)
                }
                coded += made
                isFull = made.count == room
                // zlib reports when it has nothing to do; that is no fault.
                guard result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR else { throw OutOfMemory() }
            }
        }
        return coded
    }
}
