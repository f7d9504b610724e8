import NIOCore
import NIOPosix
import NIOSSL
import Traffic

/// Builds the pipelines of client connections.
enum ClientPipeline {
    /// Grows with what a connection sends, from a small request to a full read of a large body.
    static let receiveAllocator = AdaptiveRecvByteBufferAllocator(minimum: 1_024, initial: 4_096, maximum: 64 << 10)

    /// The pipeline of a connection to an explicit proxy.
    static func explicit(_ channel: any Channel, loop: ProxyLoop) throws {
        try channel.pipeline.syncOperations.addHandler(ConnectionEnd())
        let peer = Peer(token: loop.shared.nextToken(), address: channel.remoteAddress.map(Peer.text) ?? "", tls: nil)
        try http1(channel, ClientConnection(loop: loop, peer: peer, route: .explicit))
    }

    /// Adds what reads HTTP/1 requests and answers them.
    static func http1(_ channel: any Channel, _ connection: ClientConnection) throws {
        let codec = HTTP1Codec(role: .requests, limits: connection.loop.configuration.headLimits)
        let handler = ExchangeHandler(connection: connection, codec: codec)
        try channel.pipeline.syncOperations.addHandlers(codec, handler)
    }
}
