package import NIOCore
import NIOPosix
package import NIOSSL

/// A server on 127.0.0.1, at a port that the system gives it, that serves each connection by a closure.
package enum LoopbackServer {
    /// Serves one connection, which closes when the closure returns or throws.
    package typealias Serving =
        @Sendable (NIOAsyncChannelInboundStream<ByteBuffer>, NIOAsyncChannelOutboundWriter<ByteBuffer>) async throws ->
        Void

    private typealias Connection = NIOAsyncChannel<ByteBuffer, ByteBuffer>
    /// Connections that wait to be taken.
    private static let backlog: Int32 = 64

    /// Listens while a closure runs.
    ///
    /// The end of the closure ends every connection at once, and none waits for its peer. Where the system has no descriptors left, the server
    /// takes connections again a second later.
    ///
    /// - Parameters:
    ///   - context: the TLS of its side; `nil` for bytes as they are.
    ///   - serve: serves each connection; what it throws ends that connection alone.
    ///   - body: is told the port.
    /// - Returns: what the closure returns.
    /// - Throws: what the closure throws, and why no port can be had.
    package static func run<Value: Sendable>(
        context: NIOSSLContext? = nil,
        serve: @escaping Serving,
        while body: (_ port: Int) async throws -> Value
    ) async throws -> Value {
        let connections = LoopbackConnections()
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: backlog)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        AcceptBackoffHandler(shouldForwardIOErrorCaught: false)
                    )
                }
            }
            // What is sent to a connection waits in the kernel until the connection is served.
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try connections.admit(channel)
                    if let context {
                        try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                    }
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                await withDiscardingTaskGroup { servings in
                    for await channel in connections.opened {
                        servings.addTask { try? await hold(channel, serve) }
                    }
                    servings.cancelAll()
                }
                // The port is free when the server has ended.
                try? await listener.closeFuture.get()
            }
            defer {
                listener.close(promise: nil)
                connections.close()
            }
            return try await body(listener.localAddress?.port ?? 0)
        }
    }

    /// Serves a connection that is open, and closes it.
    private static func hold(_ channel: any Channel, _ serve: Serving) async throws {
        let connection = try await channel.eventLoop.submit {
            // A connection that is closed takes no handlers, and NIO ends the process over a writer that is thrown away unfinished.
            guard channel.isActive else { throw ChannelError.ioOnClosedChannel }
            let connection = try Connection(wrappingChannelSynchronously: channel)
            try? channel.syncOptions?.setOption(.autoRead, value: true)
            return connection
        }.get()
        try await connection.executeThenClose(serve)
    }
}
