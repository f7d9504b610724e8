import NIOCore
import NIOPosix
import Support

/// An upstream that reads only as much as it is told to.
final class StallingOrigin: Sendable {
    let port: Int
    private let listener: any Channel
    private let accepted: Watched<[any Channel]>
    private let taken: Watched<Int>

    private init(_ listener: any Channel, _ accepted: Watched<[any Channel]>, _ taken: Watched<Int>) {
        (self.listener, self.accepted, self.taken) = (listener, accepted, taken)
        port = listener.localAddress?.port ?? 0
    }

    deinit {
        listener.close(promise: nil)
        for channel in accepted.value { channel.close(promise: nil) }
    }

    /// Starts listening on a free port; whoever connects is sent the opening.
    static func start(saying opening: [UInt8] = []) async throws -> StallingOrigin {
        let (accepted, taken) = (Watched<[any Channel]>([]), Watched(0))
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            // Sockets that are accepted have the room of the one that listens.
            .serverChannelOption(.socketOption(.so_rcvbuf), value: SocketRoom.littleBytes)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { channel in
                accepted.update { $0.append(channel) }
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(StallingHandler(taken, saying: opening))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return StallingOrigin(listener, accepted, taken)
    }

    /// Waits until so many connections have come.
    func connections(_ count: Int) async throws {
        _ = try await accepted.wait(for: "\(count) connections") { $0.count >= count }
    }

    /// How many connections have come.
    var connectionCount: Int { accepted.value.count }

    /// Says something on the connection that came first.
    func say(_ bytes: [UInt8]) async throws {
        try await accepted.value.first?.writeAndFlush(ByteBuffer(bytes: bytes))
    }

    /// Takes at least so many bytes more of the connection that came last.
    func take(_ count: Int) async throws {
        let end = taken.value + count
        while taken.value < end {
            let had = taken.value
            accepted.value.last?.read()
            _ = try await taken.wait(for: "a piece to be read") { $0 > had }
        }
    }
}

/// Says its opening, and counts the bytes that come.
private final class StallingHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let taken: Watched<Int>
    private let opening: [UInt8]

    init(_ taken: Watched<Int>, saying opening: [UInt8]) { (self.taken, self.opening) = (taken, opening) }

    func channelActive(context: ChannelHandlerContext) {
        if !opening.isEmpty { context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: opening)), promise: nil) }
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let count = unwrapInboundIn(data).readableBytes
        taken.update { $0 += count }
    }
}
