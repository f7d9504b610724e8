import NIOCore

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Watches whether the other end of a connection or of a stream takes what is written to it, however slowly.
///
/// A channel becomes writable only once a third of the socket's buffer is free, which may be more than a megabyte; the bytes that the socket holds
/// become fewer with each piece that the other end takes. A stream may wait for its window alone, which lets a piece go each time it opens.
struct SocketProgress {
    /// Bytes that the socket held at the last look; `nil` where that is unknown or tells nothing.
    private var heldBytes: Int?
    /// Bytes of content that the stream had sent by the last look; `nil` for a connection.
    private var sentBytes: Int?
    private var looked: NIODeadline
    /// When the other end last took something, as far as is known: the time of the look before the one that found progress.
    private(set) var since: NIODeadline

    init(since: NIODeadline) { (self.since, looked) = (since, since) }

    /// Compares what is left with the last look.
    ///
    /// - Parameters:
    ///   - channel: the connection's channel, or the stream's.
    ///   - stream: the stream's codec; `nil` for a connection. A stream waits for the socket only while its connection has no room.
    ///   - now: the time.
    mutating func look(_ channel: any Channel, stream: HTTP2StreamCodec?, _ now: NIODeadline) {
        let (held, sent) = (heldBytes, sentBytes)
        let socket = stream == nil ? channel : channel.parent.flatMap { $0.isWritable ? nil : $0 }
        heldBytes = socket.flatMap(Self.heldBytes)
        sentBytes = stream?.sentBytes
        if let held, let heldBytes, held != heldBytes { since = looked }
        if let sent, let sentBytes, sent != sentBytes { since = looked }
        looked = now
    }

    /// Bytes that were written to the socket of a channel and that the other end has not acknowledged; `nil` where that is unknown.
    static func heldBytes(of channel: any Channel) -> Int? {
        let held = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(
            of: NIOBSDSocket.Handle.self
        ) { socket -> Int? in
            var count: CInt = 0
            #if os(Linux)
            // SIOCOUTQ of tcp(7) is the same number.
            guard ioctl(socket, UInt(TIOCOUTQ), &count) == 0 else { return nil }
            #else
            var length = socklen_t(MemoryLayout<CInt>.size)
            guard getsockopt(socket, SOL_SOCKET, SO_NWRITE, &count, &length) == 0 else { return nil }
            #endif
            return Int(count)
        }
        return held ?? nil
    }
}
