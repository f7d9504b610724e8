import CZlib

/// Decompresses the messages of one direction of a WebSocket that agreed on permessage-deflate (RFC 7692 §7.2.2).
///
/// It reads every window size that can be agreed on, because its own is the greatest one. It never traps; bytes that cannot be decoded end it.
package final class MessageInflater {
    /// The four bytes that every compressed message is sent without (RFC 7692 §7.2.1).
    private static let tail: [UInt8] = [0x00, 0x00, 0xFF, 0xFF]
    /// Bytes of memory that one holds.
    package static let heldBytes = InflateStage.memoryBytes

    private let stream: UnsafeMutablePointer<z_stream>
    private let keepsContext: Bool

    /// A decompressor; `nil` when there is no memory for one.
    ///
    /// - Parameter keepsContext: whether a message may refer to the ones before it (context takeover).
    package init?(keepsContext: Bool) {
        self.keepsContext = keepsContext
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let size = Int32(MemoryLayout<z_stream>.size)
        guard inflateInit2_(stream, -15, ZLIB_VERSION, size) == Z_OK else {
            stream.deinitialize(count: 1)
            stream.deallocate()
            return nil
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    /// Takes the next bytes of a message.
    ///
    /// - Parameters:
    ///   - bytes: compressed payload, any number of bytes.
    ///   - give: takes the next decompressed bytes, at most 64 KiB at a time; false when no more may be made.
    /// - Returns: why decoding ended, as one sentence; `nil` while it goes on. After a sentence, nothing more may be given to it.
    package func write(_ bytes: UnsafeRawBufferPointer, _ give: (UnsafeRawBufferPointer) -> Bool) -> String? {
        var rest = bytes
        while !rest.isEmpty {
            let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(Int(Int32.max)))
            stream.pointee.next_in = UnsafeMutablePointer(mutating: piece.bindMemory(to: UInt8.self).baseAddress)
            stream.pointee.avail_in = UInt32(piece.count)
            if let problem = inflateAll(give) { return problem }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(piece.count))
        }
        return nil
    }

    /// Says that the message has ended; the next write begins another.
    ///
    /// - Parameter give: takes decompressed bytes, as in `write`.
    /// - Returns: why decoding ended, as in `write`.
    package func endMessage(_ give: (UnsafeRawBufferPointer) -> Bool) -> String? {
        if let problem = MessageInflater.tail.withUnsafeBytes({ write($0, give) }) { return problem }
        if !keepsContext, inflateReset(stream) != Z_OK { return "there is no memory to decode it" }
        return nil
    }

    private func inflateAll(_ give: (UnsafeRawBufferPointer) -> Bool) -> String? {
        let buffer = DecodingBuffer()
        while true {
            stream.pointee.next_out = buffer.bytes.bindMemory(to: UInt8.self).baseAddress
            stream.pointee.avail_out = UInt32(DecodingBuffer.count)
            let before = stream.pointee.avail_in
            let result = CZlib.inflate(stream, Z_NO_FLUSH)
            let made = DecodingBuffer.count - Int(stream.pointee.avail_out)
            if made > 0, !give(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer.bytes).prefix(made))) {
                return "it decompresses to more than is decoded"
            }
            switch result {
            case Z_STREAM_END:
                // A final block may end a message and not the stream (RFC 7692 §7.2.3.4): what follows is another.
                // What came before can still be referred to; keeping it costs no copy, so that a message may be all such blocks.
                guard inflateResetKeep(stream) == Z_OK else { return "there is no memory to decode it" }
                if stream.pointee.avail_in == 0 { return nil }
            case Z_OK, Z_BUF_ERROR:
                if stream.pointee.avail_in == 0, stream.pointee.avail_out > 0 { return nil }
                if made == 0, stream.pointee.avail_in == before { return "it makes no progress" }
            default:
                return stream.pointee.msg.map { String(cString: $0) } ?? "zlib error \(result)"
            }
        }
    }
}
