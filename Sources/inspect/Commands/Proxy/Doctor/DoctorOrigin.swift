import NIOCore
import NIOPosix
import NIOSSL
import Trust

/// A server on this machine that answers every request with the same text, over TLS where it is given a certificate.
struct DoctorOrigin: Sendable {
    /// The port the system gave it.
    let port: Int
    /// The text.
    let answer: String
    private let listener: any Channel

    /// Starts it on loopback.
    ///
    /// - Parameters:
    ///   - answer: what it says to whoever asks.
    ///   - certificate: nil for plain HTTP.
    /// - Returns: the listening server.
    /// - Throws: when no port can be had.
    static func start(answer: String, certificate: LeafCertificate?) async throws -> DoctorOrigin {
        let context = try certificate.map(context)
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 64)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let context {
                        try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                    }
                    try channel.pipeline.syncOperations.addHandler(AnswerHandler(answer: answer))
                }
            }
            .bind(host: "127.0.0.1", port: 0)
            .get()
        return DoctorOrigin(port: listener.localAddress?.port ?? 0, answer: answer, listener: listener)
    }

    /// Stops listening.
    func stop() async throws { try await listener.close() }

    private static func context(_ leaf: LeafCertificate) throws -> NIOSSLContext {
        let chain = try leaf.chainDER.map { try NIOSSLCertificate(bytes: $0, format: .der) }
        let key = try NIOSSLPrivateKey(bytes: leaf.privateKeyDER, format: .der)
        return try NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) },
                privateKey: .privateKey(key)
            )
        )
    }

    /// Answers the first request of a connection, and closes it.
    private final class AnswerHandler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        /// A head is a few hundred bytes; who sends more is no client of this server.
        private static let limitBytes = 64 << 10
        private let answer: String
        private var received: [UInt8] = []

        init(answer: String) { self.answer = answer }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            received += unwrapInboundIn(data).readableBytesView
            guard received.count < Self.limitBytes else { return context.close(promise: nil) }
            guard received.suffix(4) == [13, 10, 13, 10] else { return }
            let head =
                "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: \(answer.utf8.count)\r\nConnection: close\r\n\r\n"
            let channel = context.channel
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: head + answer))).whenComplete { _ in
                channel.close(promise: nil)
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
