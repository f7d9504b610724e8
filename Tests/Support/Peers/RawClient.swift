import NIOCore
import NIOPosix
import NIOSSL

/// A client that sends the bytes it is told to and keeps the bytes that come: no HTTP in between.
///
/// Every wait has a deadline, which `Patience` stretches, and fails with what had come by then.
package final class RawClient: Sendable {
    /// What has come from the other side.
    package struct Inbox: Sendable, CustomStringConvertible {
        /// The bytes that came and were not read yet.
        package internal(set) var unread: [UInt8] = []
        /// Whether the other side has sent its FIN, or the connection is closed.
        package internal(set) var isEnded = false
        /// The error that closed it, in words: `Connection reset by peer` for an RST.
        package internal(set) var error: String?
        var isSecure = false
        var agreedProtocol: String?

        package var description: String {
            "“\(String(decoding: unread, as: UTF8.self))”" + (isEnded ? ", ended" : "")
                + (error.map { ", \($0)" } ?? "")
        }
    }

    private let channel: any Channel
    private let inbox: Watched<Inbox>

    private init(channel: any Channel, inbox: Watched<Inbox>) {
        self.channel = channel
        self.inbox = inbox
    }

    deinit {
        channel.close(promise: nil)
    }

    /// Connects over TCP.
    ///
    /// - Parameters:
    ///   - port: where to.
    ///   - host: the address that has the port.
    ///   - holdsLittle: whether little waits in its socket while it does not read, whatever room the kernel gives others.
    ///   - limit: how long it may take.
    /// - Returns: the client, once it is connected.
    /// - Throws: when the connection is refused or the deadline passes.
    package static func connect(
        port: Int,
        host: String = "127.0.0.1",
        holdsLittle: Bool = false,
        within limit: Duration = .seconds(10)
    ) async throws -> RawClient {
        let inbox = Watched(Inbox())
        let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(.init(Patience.stretched(limit)))
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(ResetHandler())
                    try pipeline.addHandler(InboxHandler(inbox: inbox))
                }
            }
        if holdsLittle { _ = bootstrap.channelOption(.socketOption(.so_rcvbuf), value: SocketRoom.littleBytes) }
        let channel = try await bootstrap.connect(host: host, port: port).get()
        return RawClient(channel: channel, inbox: inbox)
    }

    /// The port that it connected from.
    package var localPort: Int { channel.localAddress?.port ?? 0 }

    /// What has come so far and was not read.
    package var soFar: Inbox { inbox.value }

    /// Sends bytes and waits until the kernel has taken them.
    package func send(_ bytes: [UInt8]) async throws {
        try await channel.writeAndFlush(channel.allocator.buffer(bytes: bytes))
    }

    /// Sends a text as UTF-8.
    package func send(_ text: String) async throws {
        try await send(Array(text.utf8))
    }

    /// Reads everything up to and with these bytes.
    package func read(through end: String, within limit: Duration = .seconds(10)) async throws -> String {
        let end = Array(end.utf8)
        let bytes = try await read("“\(String(decoding: end, as: UTF8.self))” to come", within: limit) { unread in
            unread.firstRange(of: end)?.upperBound
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads exactly this many bytes.
    package func read(count: Int, within limit: Duration = .seconds(10)) async throws -> [UInt8] {
        try await read("\(count) bytes to come", within: limit) { $0.count >= count ? count : nil }
    }

    /// Reads to the end of what the other side sends; a reset ends it too and shows in `soFar.error`.
    package func readToEnd(within limit: Duration = .seconds(10)) async throws -> [UInt8] {
        _ = try await inbox.wait(for: "the other side to end", within: limit, until: \.isEnded)
        return inbox.update { inbox in
            defer { inbox.unread = [] }
            return inbox.unread
        }
    }

    /// Reads a part of what comes.
    ///
    /// - Parameters:
    ///   - what: what is waited for, as the end of the sentence "waited for …".
    ///   - limit: how long.
    ///   - end: from the unread bytes to how many of them are the part; nil while it is not whole.
    /// - Returns: the part, which is no longer unread.
    /// - Throws: `Closed` when the other side ended before; `DeadlinePassed`.
    package func read(
        _ what: String,
        within limit: Duration = .seconds(10),
        part end: @escaping @Sendable ([UInt8]) -> Int?
    ) async throws -> [UInt8] {
        _ = try await inbox.wait(for: what, within: limit) { $0.isEnded || end($0.unread) != nil }
        return try inbox.update { inbox -> Result<[UInt8], Closed> in
            guard let count = end(inbox.unread) else { return .failure(Closed(what: what, inbox: inbox)) }
            defer { inbox.unread.removeFirst(count) }
            return .success(Array(inbox.unread.prefix(count)))
        }.get()
    }

    /// Waits for nothing to happen: what has come stays as it is for a time that is not stretched.
    package func stays(
        _ what: String,
        for time: Duration,
        while holds: @escaping @Sendable (Inbox) -> Bool
    ) async throws {
        try await inbox.stays("the client \(what)", for: time, while: holds)
    }

    /// Stops taking bytes from the kernel, or goes on: a reader that stalls.
    package func setReading(_ isReading: Bool) async throws {
        try await channel.setOption(.autoRead, value: isReading).get()
    }

    /// Takes at least so many bytes more from the kernel, while reading is stopped: a reader that is slow.
    package func take(_ count: Int) async throws {
        let end = inbox.value.unread.count + count
        while inbox.value.unread.count < end {
            let had = inbox.value.unread.count
            channel.read()
            let now = try await inbox.wait(for: "a piece to be read") { $0.unread.count > had || $0.isEnded }
            guard now.unread.count > had else { throw Closed(what: "\(count) bytes", inbox: now) }
        }
    }

    /// Sends FIN and goes on reading.
    package func halfClose() async throws {
        try await channel.close(mode: .output)
    }

    /// Closes both ways; the other side may have done so before.
    package func close() async throws {
        do { try await channel.close().get() } catch ChannelError.alreadyClosed {}
    }

    /// Ends the connection with a TCP RST.
    package func reset() async throws {
        ResetHandler.reset(channel)
        try await channel.closeFuture.get()
    }

    /// The same from where nobody can wait for it but by a lock; never one of the loops of the tests.
    package func reset(_ done: @escaping @Sendable () -> Void) {
        ResetHandler.reset(channel)
        channel.closeFuture.whenComplete { _ in done() }
    }

    /// Speaks TLS from here on, as after a CONNECT, and waits for the handshake.
    ///
    /// - Parameters:
    ///   - name: the server's name for SNI and verification; an IP address is verified without SNI.
    ///   - roots: a PEM file of the roots to trust; nil trusts anything.
    ///   - protocols: what ALPN offers.
    ///   - limit: how long the handshake may take.
    /// - Returns: the protocol that was agreed on.
    /// - Throws: `Closed` with the reason when the handshake fails.
    @discardableResult package func startTLS(
        name: String,
        trusting roots: String?,
        protocols: [String] = ["http/1.1"],
        within limit: Duration = .seconds(10)
    ) async throws -> String? {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.applicationProtocols = protocols
        // A peer that does not answer close_notify is not waited for: NIOSSL would for five seconds.
        configuration.shutdownTimeout = .milliseconds(200)
        if let roots { configuration.trustRoots = .file(roots) } else { configuration.certificateVerification = .none }
        let context = try NIOSSLContext(configuration: configuration)
        let isAddress = (try? SocketAddress(ipAddress: name, port: 0)) != nil
        try await channel.eventLoop.submit { [channel] in
            let pipeline = channel.pipeline.syncOperations
            let handler = try NIOSSLClientHandler(context: context, serverHostname: isAddress ? nil : name)
            try pipeline.addHandler(handler, position: .after(try pipeline.handler(type: ResetHandler.self)))
        }.get()
        let inbox = try await inbox.wait(for: "the TLS handshake with \(name)", within: limit) {
            $0.isSecure || $0.isEnded
        }
        guard inbox.isSecure else { throw Closed(what: "the TLS handshake with \(name)", inbox: inbox) }
        return inbox.agreedProtocol
    }

    /// The other side ended before what was waited for came.
    package struct Closed: Error, CustomStringConvertible {
        package let what: String
        package let inbox: Inbox
        package var description: String { "waited for \(what), but the other side ended; there was \(inbox)" }
    }
}
