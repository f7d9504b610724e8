import NIOCore
import NIOPosix
import NIOSSL

/// A server on 127.0.0.1, at a port that the system gives it, that serves each connection by a closure.
enum LoopbackServer {
    /// Serves one connection, which closes when the closure returns or throws.
    typealias Serving =
        @Sendable (NIOAsyncChannelInboundStream<ByteBuffer>, NIOAsyncChannelOutboundWriter<ByteBuffer>) async throws ->
        Void

    private typealias Connection = NIOAsyncChannel<ByteBuffer, ByteBuffer>
    /// Connections that wait to be taken.
    private static let backlog: Int32 = 64

    /// Listens while a closure runs.
    ///
    /// - Parameters:
    ///   - context: the TLS of its side; `nil` for bytes as they are.
    ///   - serve: serves each connection; what it throws ends that connection alone.
    ///   - body: is told the port.
    /// - Returns: what the closure returns.
    /// - Throws: what the closure throws, and why no port can be had.
    static func run<Value: Sendable>(
        context: NIOSSLContext? = nil,
        serve: @escaping Serving,
        while body: (_ port: Int) async throws -> Value
    ) async throws -> Value {
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: backlog)
            .bind(host: "127.0.0.1", port: 0) { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let context {
                        try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                    }
                    return try Connection(wrappingChannelSynchronously: channel)
                }
            }
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await accept(listener, serve) }
            // The connections that were taken by then are still given to the loop, which ends after them.
            defer { listener.channel.close(promise: nil) }
            return try await body(listener.channel.localAddress?.port ?? 0)
        }
    }

    private static func accept(
        _ listener: NIOAsyncChannel<Connection, Never>,
        _ serve: @escaping Serving
    ) async throws {
        try await listener.executeThenClose { connections in
            try await withThrowingDiscardingTaskGroup { group in
                for try await connection in connections {
                    group.addTask { try? await connection.executeThenClose(serve) }
                }
                group.cancelAll()
            }
        }
    }
}
