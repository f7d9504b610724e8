import NIOCore
import NIOPosix
import Support

/// An upstream that reads only as much as it is told to.
final class StallingOrigin: Sendable {
    let port: Int
    private let listener: any Channel
    private let accepted: Watched<(any Channel)?>
    private let taken: Watched<Int>

    private init(_ listener: any Channel, _ accepted: Watched<(any Channel)?>, _ taken: Watched<Int>) {
        (self.listener, self.accepted, self.taken) = (listener, accepted, taken)
        port = listener.localAddress?.port ?? 0
    }

    deinit {
        listener.close(promise: nil)
        accepted.value?.close(promise: nil)
    }

    static func start() async throws -> StallingOrigin {
        let (accepted, taken) = (Watched<(any Channel)?>(nil), Watched(0))
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            // Sockets that are accepted have the room of the one that listens.
            .serverChannelOption(.socketOption(.so_rcvbuf), value: SocketRoom.littleBytes)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { channel in
                accepted.update { $0 = channel }
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(CountingHandler(taken))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return StallingOrigin(listener, accepted, taken)
    }

    /// Takes at least so many bytes more.
    func take(_ count: Int) async throws {
        let end = taken.value + count
        while taken.value < end {
            let had = taken.value
            accepted.value?.read()
            _ = try await taken.wait(for: "a piece to be read") { $0 > had }
        }
    }
}

/// Counts the bytes that come.
private final class CountingHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let taken: Watched<Int>

    init(_ taken: Watched<Int>) { self.taken = taken }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let count = unwrapInboundIn(data).readableBytes
        taken.update { $0 += count }
    }
}
