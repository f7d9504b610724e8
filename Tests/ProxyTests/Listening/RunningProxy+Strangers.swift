import NIOCore
import NIOPosix
import Testing
import Traffic

@testable import Proxy

extension RunningProxy {
    /// Listens as a listener of some way does, for clients that are taken to be on another machine.
    ///
    /// - Parameters:
    ///   - way: how connections say where they want to go.
    ///   - address: where the clients are.
    ///   - body: is told the port; the listener closes when it ends.
    /// - Throws: what `body` throws, or what the system says of the port.
    func listeningForStrangers(
        by way: ListenMode.Way = .explicit,
        from address: String = "192.0.2.1:5",
        _ body: (_ port: Int) async throws -> Void
    ) async throws {
        let loop = try #require(server.anyLoop)
        let listener = try await ServerBootstrap(group: loop.eventLoop)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let connection = ClientConnection(
                        loop: loop.value,
                        peer: Peer(token: loop.value.shared.nextToken(), address: address, tls: nil),
                        isFromThisMachine: false,
                        route: .explicit
                    )
                    try channel.pipeline.syncOperations.addHandler(ConnectionEnd())
                    try ClientPipeline.serve(channel, connection, by: way)
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let outcome: Result<Void, any Error>
        do { outcome = .success(try await body(listener.localAddress?.port ?? 0)) } catch { outcome = .failure(error) }
        try await listener.close()
        try outcome.get()
    }
}
