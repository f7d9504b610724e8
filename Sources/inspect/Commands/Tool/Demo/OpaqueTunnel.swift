import NIOCore
import NIOPosix

/// A CONNECT whose bytes are neither TLS nor HTTP, as those of a home-made protocol.
struct OpaqueTunnel: Sendable {
    /// A made-up protocol's greeting; no TLS record and no HTTP method begins with these bytes.
    private static let greeting: [UInt8] = [0x00, 0x07, 0xFE, 0x42, 0x01, 0x00, 0x00, 0x04, 0x70, 0x69, 0x6E, 0x67]

    /// The proxy's port on 127.0.0.1.
    let proxyPort: Int
    /// The port on 127.0.0.1 that the tunnel leads to.
    let port: Int
    /// How long the tunnel may take once it is connected.
    var limit = TimeAmount.seconds(30)

    /// Opens the tunnel, sends the greeting, waits for it to come back, and closes.
    ///
    /// - Throws: `InputError` when the proxy refuses or the bytes do not come back in time.
    func send() async throws -> DemoAnswer {
        let authority = "127.0.0.1:\(port)"
        let connection = try await NIOAsyncChannel<ByteBuffer, ByteBuffer>.connected(port: proxyPort)
        let channel = connection.channel
        let deadline = channel.eventLoop.scheduleTask(in: limit) { channel.close(promise: nil) }
        defer { deadline.cancel() }
        let bytes = try await connection.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: "CONNECT \(authority) HTTP/1.1\r\nHost: \(authority)\r\n\r\n"))
            var received: [UInt8] = []
            var isOpen = false
            for try await buffer in inbound {
                received += buffer.readableBytesView
                if !isOpen, let end = OpaqueTunnel.headEnd(received) {
                    let head = String(decoding: received[..<end], as: UTF8.self)
                    guard head.hasPrefix("HTTP/1.1 200") || head.hasPrefix("HTTP/1.0 200") else {
                        throw InputError("CONNECT \(authority) was answered \(head.prefix { !$0.isNewline })")
                    }
                    received.removeFirst(end)
                    isOpen = true
                    try await outbound.write(ByteBuffer(bytes: OpaqueTunnel.greeting))
                }
                if isOpen, received.count >= OpaqueTunnel.greeting.count { return received }
            }
            return received
        }
        guard bytes == OpaqueTunnel.greeting else {
            throw InputError(
                "the tunnel to \(authority) brought back \(bytes.count) bytes, not the \(OpaqueTunnel.greeting.count) sent"
            )
        }
        return DemoAnswer(
            client: "a protocol of its own",
            method: "CONNECT",
            scheme: "none",
            target: authority,
            status: nil,
            bodyBytes: bytes.count
        )
    }

    private static func headEnd(_ bytes: [UInt8]) -> Int? {
        guard bytes.count >= 4 else { return nil }
        return (4...bytes.count).first { Array(bytes[($0 - 4)..<$0]) == Array("\r\n\r\n".utf8) }
    }
}

extension NIOAsyncChannel<ByteBuffer, ByteBuffer> {
    /// A connection to a port on 127.0.0.1.
    fileprivate static func connected(port: Int) async throws -> NIOAsyncChannel {
        try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(.seconds(10))
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture { try NIOAsyncChannel(wrappingChannelSynchronously: channel) }
            }
    }
}
