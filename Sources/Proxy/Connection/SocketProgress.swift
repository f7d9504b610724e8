import NIOCore

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Looks whether the other end of a connection or of a stream takes what is written to it, however slowly.
///
/// A channel says that it has room again once its socket has a third of its buffer free, which may be more than a megabyte; what the socket still
/// holds becomes less with each piece that the other end takes. And a stream may wait for its window alone, which lets go a piece as it is opened.
struct SocketProgress {
    /// Bytes that the socket held at the last look; `nil` where that says nothing.
    private var heldBytes: Int?
    /// Bytes of content that had left on the stream by then; `nil` on a connection of its own.
    private var sentBytes: Int?
    private var looked: NIODeadline
    /// Since when nothing is taken, as far as looks have shown: the one before that which found something taken.
    private(set) var since: NIODeadline

    init(since: NIODeadline) { (self.since, looked) = (since, since) }

    /// Looks again.
    ///
    /// - Parameters:
    ///   - channel: the connection's, or that of a stream of it.
    ///   - stream: the stream's codec, where it is one; it waits for the socket only while its connection has no room.
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

    /// Bytes that the socket of a channel has been given and the other end has not acknowledged.
    private static func heldBytes(of channel: any Channel) -> Int? {
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
