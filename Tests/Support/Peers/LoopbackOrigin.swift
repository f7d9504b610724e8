import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// An upstream on 127.0.0.1 that keeps the exact bytes of each connection and answers by a script.
///
/// It knows nothing of HTTP: what a client gets are the bytes that the script says, and what the test reads are the bytes
/// that came, under TLS after decryption.
package final class LoopbackOrigin: Sendable {
    /// Looks at the bytes of a connection that no reply has consumed yet, and answers; nil waits for more.
    ///
    /// Asked on the connection's event loop after every read, and again after a reply while it consumes something.
    package typealias Script = @Sendable (_ unanswered: [UInt8]) -> Reply?

    /// One answer.
    package struct Reply: Sendable {
        /// How many of the unanswered bytes it answers.
        package var consumed: Int
        /// What to do, in order, each when the one before has been done.
        package var steps: [Step]

        package init(consuming consumed: Int, _ steps: Step...) {
            self.consumed = consumed
            self.steps = steps
        }
    }

    /// One thing that an origin does.
    package enum Step: Sendable {
        /// Writes these bytes as one write.
        case send([UInt8])
        /// Writes these bytes so many times, each write when the client has made room.
        case stream([UInt8], times: Int)
        /// Waits, for an upstream that is slow.
        case pause(Duration)
        /// Waits until the test opens the gate.
        case held(Gate)
        /// Stops taking bytes from the kernel, or goes on.
        case reading(Bool)
        /// Sends FIN (under TLS close_notify), and goes on reading.
        case halfClose
        /// Closes the connection.
        case close
        /// Closes it with a TCP RST.
        case reset
    }

    /// What happened on one connection.
    package struct Connection: Sendable {
        /// The bytes that came, up to the origin's `keeps`.
        package internal(set) var received: [UInt8] = []
        /// How many bytes came, kept or not.
        package internal(set) var receivedBytes = 0
        /// The bytes of `send` steps that were written.
        package internal(set) var sent: [UInt8] = []
        /// How many bytes the kernel has taken, streamed ones too.
        package internal(set) var sentBytes = 0
        /// Whether the client has sent its FIN.
        package internal(set) var isClientDone = false
        /// Whether the connection is closed.
        package internal(set) var isClosed = false
        /// What went wrong in it, in words.
        package internal(set) var error: String?

        /// The bytes that came, as text.
        package var receivedText: String { String(decoding: received, as: UTF8.self) }
    }

    /// The files of a TLS server, and what it offers.
    package struct TLS: Sendable {
        package var certificateFile: String
        package var keyFile: String
        package var protocols: [String]

        package init(certificateFile: String, keyFile: String, protocols: [String] = ["http/1.1"]) {
            self.certificateFile = certificateFile
            self.keyFile = keyFile
            self.protocols = protocols
        }
    }

    /// The port that the system gave it.
    package let port: Int
    private let listener: any Channel
    private let watched: Watched<[Connection]>
    /// What has the same port of `::1`, so that nobody else is met there under the name `localhost`.
    private let neighbour: any Sendable
    /// What has the port once nobody listens on it.
    private let successor = Mutex<RefusingPort?>(nil)

    private init(port: Int, listener: any Channel, watched: Watched<[Connection]>, neighbour: any Sendable) {
        self.port = port
        self.listener = listener
        self.watched = watched
        self.neighbour = neighbour
    }

    deinit {
        listener.close(promise: nil)
    }

    /// Starts listening on a free port.
    ///
    /// - Parameters:
    ///   - tls: nil for plain TCP.
    ///   - keeps: how many bytes of a connection are kept; what is beyond is counted.
    ///   - holdsLittle: whether little of what it sends waits in its sockets, whatever room the kernel gives others.
    ///   - hold: takes the same port of `::1` for as long as the origin lives; throws where it is somebody else's.
    ///   - script: how it answers.
    /// - Returns: the listening origin; it stops with the last reference to it.
    /// - Throws: when the TLS files cannot be read or no port can be had.
    package static func start(
        tls: TLS? = nil,
        keeps: Int = 8 << 20,
        holdsLittle: Bool = false,
        beside hold: (_ port: Int) throws -> any Sendable = LoopbackOrigin.refusal,
        script: @escaping Script
    ) async throws -> LoopbackOrigin {
        let watched = Watched<[Connection]>([])
        let context = try tls.map(context)
        var tries = 0
        while true {
            let listener = try await listen(context, keeps, holdsLittle, script, watched)
            let port = listener.localAddress?.port ?? 0
            tries += 1
            do {
                return LoopbackOrigin(port: port, listener: listener, watched: watched, neighbour: try hold(port))
            } catch {
                try await listener.close()
                guard tries < 50 else { throw error }
            }
        }
    }

    /// Takes a port of `::1` and refuses who connects to it.
    package static func refusal(_ port: Int) throws -> any Sendable { try RefusingPort(port, isIPv6: true) }

    /// Listens on a free port of 127.0.0.1.
    private static func listen(
        _ context: NIOSSLContext?,
        _ keeps: Int,
        _ holdsLittle: Bool,
        _ script: @escaping Script,
        _ watched: Watched<[Connection]>
    ) async throws -> any Channel {
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelOption(.backlog, value: 256)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.writeBufferWaterMark, value: .init(low: 64 << 10, high: 256 << 10))
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(ResetHandler())
                    if let context { try pipeline.addHandler(NIOSSLServerHandler(context: context)) }
                    try pipeline.addHandler(OriginHandler(watched: watched, keeps: keeps, script: script))
                }
            }
        // Sockets that are accepted have the room of the one that listens.
        if holdsLittle { _ = bootstrap.serverChannelOption(.socketOption(.so_sndbuf), value: SocketRoom.littleBytes) }
        return try await bootstrap.bind(host: "127.0.0.1", port: 0).get()
    }

    /// What happened on each connection so far, in the order they came.
    package var connections: [Connection] { watched.value }

    /// Waits until the connections are as a test needs them.
    package func connections(
        _ what: String,
        within limit: Duration = .seconds(10),
        until isMet: @escaping @Sendable ([Connection]) -> Bool
    ) async throws -> [Connection] {
        try await watched.wait(for: "the origin to see \(what)", within: limit, until: isMet)
    }

    /// Waits for nothing to happen: the connections stay as they are for a time that is not stretched.
    package func stays(
        _ what: String,
        for time: Duration,
        while holds: @escaping @Sendable ([Connection]) -> Bool
    ) async throws {
        try await watched.stays("the origin with \(what)", for: time, while: holds)
    }

    /// Waits until a part of what happened rests for a time, as where a peer takes no more.
    package func settled<Part: Equatable & Sendable>(
        _ part: @escaping @Sendable ([Connection]) -> Part,
        for time: Duration
    ) async throws -> [Connection] {
        try await watched.settled(part, for: time)
    }

    /// Stops listening; a connection to the port is refused from here on, for as long as this lives.
    ///
    /// - Throws: when the port still takes connections after five seconds, stretched, or is somebody else's by then.
    package func stop() async throws {
        try await listener.close().get()
        // A child that is just being started holds a copy of the socket for the moment before it becomes its program.
        let deadline = ContinuousClock.now + Patience.stretched(.seconds(5))
        while let stray = try? await RawClient.connect(port: port) {
            try await stray.close()
            guard ContinuousClock.now < deadline else {
                throw RawClient.Closed(what: "port \(port) to refuse", inbox: stray.soFar)
            }
        }
        let refusing = try RefusingPort(port, isReused: true)
        successor.withLock { $0 = refusing }
    }

    private static func context(for tls: TLS) throws -> NIOSSLContext {
        let chain = try NIOSSLCertificate.fromPEMFile(tls.certificateFile)
        let key = try NIOSSLPrivateKey(file: tls.keyFile, format: .pem)
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) },
            privateKey: .privateKey(key)
        )
        configuration.applicationProtocols = tls.protocols
        // A peer that does not answer close_notify is not waited for: NIOSSL would for five seconds.
        configuration.shutdownTimeout = .milliseconds(200)
        return try NIOSSLContext(configuration: configuration)
    }
}
