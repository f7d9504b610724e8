import NIOCore
import Synchronization

/// The open connections of a server: each one is given to whoever serves it, and is closed when the server ends, served or not.
///
/// There are at most as many as the process has descriptors.
final class LoopbackConnections: Sendable {
    /// Each connection once it is open, for one reader; it ends when the server does.
    let opened: AsyncStream<any Channel>

    private let giving: AsyncStream<any Channel>.Continuation
    /// Those that are open; `nil` once the server has ended.
    private let kept = Mutex<[ObjectIdentifier: any Channel]?>([:])

    init() { (opened, giving) = AsyncStream.makeStream(of: (any Channel).self) }

    /// Gives a connection to the reader once it is open; the connection's loop calls it before any handler is added.
    ///
    /// - Throws: when the connection is closed already.
    func admit(_ channel: any Channel) throws {
        try channel.pipeline.syncOperations.addHandler(Door(self))
    }

    /// Ends the giving and closes every connection, also those that open later.
    func close() {
        giving.finish()
        let channels = kept.withLock { kept in
            let channels = kept ?? [:]
            kept = nil
            return channels
        }
        for channel in channels.values {
            channel.eventLoop.execute {
                // The door stands before TLS, which would wait for the peer's close_notify.
                (try? channel.pipeline.syncOperations.context(handlerType: Door.self))?.close(promise: nil)
            }
        }
    }

    /// Keeps a connection until it closes, and gives it to the reader.
    ///
    /// - Returns: whether the reader gets it; `false` when the server has ended.
    private func add(_ channel: any Channel) -> Bool {
        let id = ObjectIdentifier(channel)
        let isKept = kept.withLock { kept in
            kept?[id] = channel
            return kept != nil
        }
        guard isKept else { return false }
        channel.closeFuture.whenComplete { _ in self.remove(id) }
        guard case .enqueued = giving.yield(channel) else { return false }
        return true
    }

    private func remove(_ id: ObjectIdentifier) {
        kept.withLock { kept -> Void in kept?[id] = nil }
    }

    /// The handler next to the socket, which sees the connection open.
    private final class Door: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let connections: LoopbackConnections

        init(_ connections: LoopbackConnections) { self.connections = connections }

        func channelActive(context: ChannelHandlerContext) {
            context.fireChannelActive()
            if !connections.add(context.channel) { context.close(promise: nil) }
        }
    }
}
