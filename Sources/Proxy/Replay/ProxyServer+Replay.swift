import NIOCore
import NIOPosix
package import Traffic

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Sends recorded requests again.
///
/// A client of our own sends each over a socket pair, so a replay takes the path of any exchange and is recorded like one; only its link to the
/// first exchange is different.
extension ProxyServer: ProxyControl {
    package func replay(_ request: ReplayRequest) async throws -> ExchangeID {
        let original = request.original
        guard !original.isWebSocket else {
            throw ReplayError("exchange \(original.id) is a WebSocket, which cannot be replayed as one request")
        }
        let bytes = try ReplayBytes.make(request)
        guard let scheme = original.scheme, !original.host.isEmpty, original.port > 0 else {
            throw ReplayError(
                "exchange \(original.id) cannot be replayed: it is a tunnel or its request could not be read"
            )
        }
        let isSecure = scheme == .https || scheme == .wss
        let offer: UpstreamKey.Offer =
            (original.upstreamVersion ?? original.version) != .http2 ? .http1 : isSecure ? .both : .priorKnowledge
        let key = UpstreamKey(
            endpoint: Endpoint(host: original.host, port: original.port),
            serverName: isSecure ? original.host : nil,
            offer: offer,
            reach: .anywhere
        )
        guard let own = anyLoop else { throw ReplayError("the proxy has stopped") }
        let loop = own.eventLoop
        var pair: [Int32] = [0, 0]
        #if canImport(Darwin)
        let stream = SOCK_STREAM
        #else
        let stream = Int32(SOCK_STREAM.rawValue)
        #endif
        guard socketpair(AF_UNIX, stream, 0, &pair) == 0 else {
            throw ReplayError("no socket could be made for the replay (\(errno))")
        }
        let promise = loop.makePromise(of: ExchangeID?.self)
        let (near, far) = (pair[0], pair[1])
        let serving = ClientBootstrap(group: loop)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(ConnectionEnd())
                    let connection = ClientConnection(
                        loop: own.value,
                        peer: Peer(token: own.value.shared.nextToken(), address: "", tls: nil),
                        isFromThisMachine: true,
                        route: .inside(scheme, key),
                        replay: ClientConnection.Replay(original: original.id) { promise.succeed($0) }
                    )
                    try ClientPipeline.http1(channel, connection)
                }
            }
            .withConnectedSocket(far)
        do {
            _ = try await serving.get()
            let sending = try await ClientBootstrap(group: loop)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Discard()) }
                }
                .withConnectedSocket(near).get()
            try await sending.writeAndFlush(bytes)
            let id = try await promise.futureResult.get()
            try? await sending.close()
            guard let id else { throw ReplayError("the replay was sent but could not be recorded") }
            return id
        } catch let error as ReplayError {
            throw error
        } catch {
            promise.succeed(nil)
            throw ReplayError("the replay could not be sent: \(error)")
        }
    }
}

/// Drops what comes: the response is in the record, and the replay's client needs nothing of it.
private final class Discard: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {}
    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
