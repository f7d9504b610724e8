import NIOCore
import NIOPosix
import Testing
import Traffic

@testable import Proxy

extension RunningProxy {
    /// Listens for connections that all go to one place, as those of a transparent listener do, of which the kernel says it.
    ///
    /// - Parameters:
    ///   - endpoint: the place.
    ///   - body: is told the port; the listener closes when it ends.
    /// - Throws: what `body` throws, or what the system says of the port.
    func listening(for endpoint: Endpoint, _ body: (_ port: Int) async throws -> Void) async throws {
        let loop = try #require(server.anyLoop)
        let listener = try await ServerBootstrap(group: loop.eventLoop)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let shared = loop.value.shared
                    let address = channel.remoteAddress.map(Peer.text) ?? ""
                    let connection = ClientConnection(
                        loop: loop.value,
                        peer: Peer(token: shared.nextToken(), address: address, tls: nil),
                        isFromThisMachine: true,
                        route: .explicit
                    )
                    let destination = Destination(endpoint: endpoint, source: .original)
                    try channel.pipeline.syncOperations.addHandlers(
                        ConnectionEnd(),
                        PeekHandler(connection: connection, destination: destination, dialed: nil)
                    )
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let outcome: Result<Void, any Error>
        do { outcome = .success(try await body(listener.localAddress?.port ?? 0)) } catch { outcome = .failure(error) }
        try await listener.close()
        try outcome.get()
    }
}
