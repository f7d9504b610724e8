import NIOCore
import NIOHTTP2
import NIOPosix
import NIOSSL
import Traffic

/// Builds the pipelines of client connections.
enum ClientPipeline {
    /// The allocator of read buffers: sizes grow with what a connection sends, from a small request to a full read of a large body.
    ///
    /// An idle connection keeps one or two buffers of the last size, so the first is the smallest.
    static let receiveAllocator = AdaptiveRecvByteBufferAllocator(minimum: 1_024, initial: 1_024, maximum: 64 << 10)

    /// Builds the pipeline of a connection that a listener of ours accepted.
    static func accepted(_ channel: any Channel, by way: ListenMode.Way, loop: ProxyLoop) throws {
        let operations = channel.pipeline.syncOperations
        let origin = ClientOrigin.of(channel, loop.shared.origins, loop.watch)
        try operations.addHandler(ConnectionEnd { origin?.end(isOver: $0) })
        let peer = Peer(token: loop.shared.nextToken(), address: channel.remoteAddress.map(Peer.text) ?? "", tls: nil)
        let connection = ClientConnection(
            loop: loop,
            peer: peer,
            origin: origin,
            isFromThisMachine: SocketPair(client: channel.remoteAddress, listener: channel.localAddress) != nil,
            route: .explicit
        )
        guard loop.shared.admits(channel.remoteAddress) else {
            try operations.addHandler(TurnedAwayHandler(connection: connection, answers: way.isHTTP))
            return
        }
        try serve(channel, connection, by: way)
    }

    /// Builds the pipeline of a connection that may come in.
    static func serve(_ channel: any Channel, _ connection: ClientConnection, by way: ListenMode.Way) throws {
        let (operations, loop) = (channel.pipeline.syncOperations, connection.loop)
        switch way {
        case .explicit where loop.configuration.answers != nil:
            // The listener is an origin server too, and clients may speak TLS with it.
            let here = Endpoint(host: "localhost", port: channel.localAddress?.port ?? 0)
            let destination = Destination(endpoint: here, source: .own)
            try operations.addHandler(PeekHandler(connection: connection, destination: destination, dialed: nil))
        case .explicit: try http1(channel, connection)
        case .socks5(let own):
            let credentials = own ?? loop.configuration.credentials
            try operations.addHandler(SOCKS5Handler(connection: connection, credentials: credentials))
        case .reverse(let scheme, let upstream):
            let destination = Destination(endpoint: upstream, source: .reverse(scheme))
            try operations.addHandler(PeekHandler(connection: connection, destination: destination, dialed: nil))
        case .transparent:
            guard let endpoint = OriginalDestination.of(channel) else {
                channel.close(promise: nil)
                return
            }
            let destination = Destination(endpoint: endpoint, source: .original)
            try operations.addHandler(PeekHandler(connection: connection, destination: destination, dialed: nil))
        }
    }

    /// Adds the handlers that read HTTP/1 requests and answer them.
    static func http1(_ channel: any Channel, _ connection: ClientConnection) throws {
        var isExplicit = false
        if case .explicit = connection.route { isExplicit = true }
        let codec = HTTP1Codec(
            role: .requests,
            limits: connection.loop.configuration.headLimits,
            mayBeHTTP2: isExplicit
        )
        let handler = ClientConnectionHandler(connection: connection, codec: codec)
        try channel.pipeline.syncOperations.addHandlers(codec, handler)
    }

    /// Adds the handlers that read HTTP/2 and answer every stream.
    static func http2(_ channel: any Channel, _ connection: ClientConnection) throws {
        let configuration = connection.loop.configuration
        let joined = JoinedWrites()
        let splitter = FrameSplitter(isClient: false, joined: joined)
        let whole = HTTP2ClientConnection(connection: connection, splitter: splitter)
        let bound = NIOLoopBound((connection, whole, splitter), eventLoop: channel.eventLoop)
        var takesExtendedConnect = false
        if case .inside(_, let key) = connection.route {
            takesExtendedConnect = connection.loop.pool.takesExtendedConnect(key)
        }
        let handler = NIOHTTP2Handler(
            mode: .server,
            eventLoop: channel.eventLoop,
            connectionConfiguration: HTTP2Settings.clientConnection(
                configuration,
                takesExtendedConnect: takesExtendedConnect
            ),
            streamConfiguration: HTTP2Settings.clientStream(configuration)
        ) { stream in
            stream.eventLoop.makeCompletedFuture {
                let (connection, whole, splitter) = bound.value
                let codec = HTTP2StreamCodec(
                    role: .requests,
                    limits: connection.loop.configuration.headLimits,
                    splitter: splitter
                )
                let handler = ClientStreamHandler(connection: connection, of: whole, codec: codec)
                whole.opened(stream, handler)
                try stream.pipeline.syncOperations.addHandlers(codec, handler)
            }
        }
        let operations = channel.pipeline.syncOperations
        try operations.addHandler(joined)
        // Clients take 100 streams for granted; a lower limit must not hold before they know it.
        if configuration.streamLimitCount >= 100 { try operations.addHandler(EarlySettings()) }
        try operations.addHandlers(splitter, handler, whole)
    }
}
