import NIOCore
import Traffic

/// Every limit and timeout of the proxy, with its unit and its default.
package struct ProxyConfiguration: Sendable {
    /// The address to listen on.
    ///
    /// Default loopback.
    package var host = "127.0.0.1"
    /// The port to listen on; 0 lets the system pick.
    package var port = 9090
    /// The ways in; none stands for an explicit one at `host` and `port`.
    package var listenModes: [ListenMode] = []
    /// What clients of explicit listeners must show, and of SOCKS listeners without credentials of their own.
    ///
    /// Default nothing.
    package var credentials: Credentials?
    /// Hosts whose TLS is never intercepted, by the name of the ClientHello or of the tunnel.
    ///
    /// Default Apple's.
    package var passThrough = HostPattern.pinned
    /// The proxy through which every upstream is reached.
    ///
    /// Default none.
    package var upstreamProxy: UpstreamProxy?
    /// What stands in place of the resolver's answers.
    package var nameOverrides: [NameOverride] = []
    /// Finds the addresses of a name, whatever their port; called on threads of its own, which it may block.
    ///
    /// Default the system's resolver; the one that the proxy started with stays when it is configured anew.
    package var lookUp: @Sendable (_ name: String) throws -> [SocketAddress] = NameResolver.lookUp
    /// What answers in place of upstreams, none of which is then connected to.
    ///
    /// Default nothing.
    package var answers: (any AnswerSource)?
    /// What is answered at addresses of our own.
    ///
    /// Default nothing but refusals.
    package var localPages: LocalPages?
    /// Networks whose clients may come in, beside this machine's own.
    ///
    /// Default: empty, which admits every client.
    package var clientNetworks: [ClientNetwork] = []
    /// Whether clients of other machines may be connected to addresses of this one and of its link.
    ///
    /// Default no.
    package var isThisMachineOpen = false
    /// Names by which clients may ask listeners that are servers to them, beside addresses, `localhost` and a reverse upstream's.
    ///
    /// In lower case, without the root's dot.
    package var ownNames: Set<String> = []
    /// What upstreams are shown when they ask for a certificate, the first that fits.
    package var clientCertificates: [ClientCertificate] = []
    /// The file that the TLS secrets of both sides are appended to.
    ///
    /// Default none.
    package var keyLogFile: String?
    /// Whether a client is offered HTTP/2 only where its upstream speaks it, and an upstream only where its client does.
    ///
    /// Default yes; no offers both protocols on both sides.
    package var matchesProtocols = true
    /// Whether a bad upstream certificate is accepted.
    ///
    /// Default no.
    package var isUpstreamVerified = true
    /// Further roots that upstreams may chain to, PEM.
    package var upstreamRootsPEM: String?

    /// Bytes of a head, and of a trailer section.
    ///
    /// Default 256 KiB.
    package var headLimitBytes = 256 << 10
    /// Bytes of a request or status line.
    ///
    /// Default 64 KiB.
    package var startLineLimitBytes = 64 << 10
    /// Field lines of a head.
    ///
    /// Default 1,000.
    package var fieldLimitCount = 1_000
    /// Bytes of each body that are kept; all of it is forwarded, counted and digested.
    ///
    /// Default 64 MiB.
    package var bodyLimitBytes: Int64 = 64 << 20
    /// Bytes that a compressed body is decoded to for being shown.
    ///
    /// Default 32 MiB.
    package var decodedLimitBytes = 32 << 20
    /// Bytes of each message of a WebSocket, an event stream or a gRPC call that are kept; all of it is forwarded and measured.
    ///
    /// Default 1 MiB.
    package var messageLimitBytes = 1 << 20
    /// Bytes that one such message may decompress to for the record.
    ///
    /// Default 16 MiB.
    package var messageDecodedLimitBytes = 16 << 20
    /// Bytes handed to the record and not yet committed, past which reading pauses everywhere.
    ///
    /// Default 64 MiB.
    package var captureLimitBytes = 64 << 20
    /// Streams that a client may have open on one HTTP/2 connection.
    ///
    /// Default 100.
    package var streamLimitCount = 100
    /// Streams that one side of an HTTP/2 connection may reset, or break the rules on, within `resetWindow`.
    ///
    /// Default 200.
    package var resetLimitCount = 200
    /// Default 30 s.
    package var resetWindow = TimeAmount.seconds(30)
    /// PING, SETTINGS and PRIORITY frames of one side of an HTTP/2 connection within `resetWindow`.
    ///
    /// Default 3,000.
    package var controlFrameLimitCount = 3_000
    /// Bytes that a client may send of one stream before they are passed on.
    ///
    /// Default 256 KiB.
    package var clientStreamWindowBytes = 256 << 10
    /// The same of all streams of a connection.
    ///
    /// Default 1 MiB.
    package var clientWindowBytes = 1 << 20
    /// Bytes that an upstream may send of one stream before they are passed on.
    ///
    /// So much is held for a client that stalls, beside what TLS and the sockets hold and what is gathered for the record: 256 KiB each.
    /// Default 1 MiB.
    package var upstreamStreamWindowBytes = 1 << 20
    /// The same of all streams of a connection.
    ///
    /// Default 4 MiB.
    package var upstreamWindowBytes = 4 << 20
    /// Bytes that a client may send ahead while its last request is answered.
    ///
    /// Default 64 KiB.
    package var pipelineLimitBytes = 64 << 10
    /// Client connections; past it no further ones are accepted until one closes.
    ///
    /// Default 10,000.
    package var connectionLimitCount = 10_000
    /// Interim responses of one exchange.
    ///
    /// Default 64.
    package var interimLimitCount = 64

    /// From asking for a connection to its being open, name resolution included; an upstream proxy may take as long again to make one.
    ///
    /// Default 10 s.
    package var connectTimeout = TimeAmount.seconds(10)
    /// From the first to the last byte of a TLS handshake, on either side.
    ///
    /// Default 10 s.
    package var handshakeTimeout = TimeAmount.seconds(10)
    /// From the first to the last byte of a request head, and from a connection to the end of its SOCKS handshake.
    ///
    /// Default 15 s.
    package var headTimeout = TimeAmount.seconds(15)
    /// How long the bytes after a CONNECT may be awaited before the upstream is let speak first.
    ///
    /// Default 3 s.
    package var peekTimeout = TimeAmount.seconds(3)
    /// From the last byte of a request, or of an interim response, to the head of its response.
    ///
    /// Default 120 s.
    package var firstByteTimeout = TimeAmount.seconds(120)
    /// Without a byte either way while a request is sent or a response is read.
    ///
    /// Default 120 s.
    package var idleTimeout = TimeAmount.seconds(120)
    /// Without a byte either way in a tunnel, a WebSocket, an event stream or a gRPC call.
    ///
    /// Default 1 h.
    package var tunnelIdleTimeout = TimeAmount.hours(1)
    /// A client connection with no exchange on it.
    ///
    /// Default 5 min.
    package var keepAliveTimeout = TimeAmount.minutes(5)
    /// An upstream connection with no exchange on it.
    ///
    /// Default 30 s.
    package var upstreamKeepAliveTimeout = TimeAmount.seconds(30)
    /// Upstream connections without an exchange, per event loop, those that are kept for one client among them; past it the oldest is closed.
    ///
    /// Default 256.
    package var idleUpstreamLimitCount = 256
    /// How long the end of a response waits for the record's commit.
    ///
    /// Default 1 s.
    package var holdTimeout = TimeAmount.seconds(1)
    /// How long the end of an HTTP/2 upstream's stream is awaited once its content is whole, a WebSocket client's close frame after the upstream's, and
    /// both sides' after those of a stopping proxy.
    ///
    /// Default 250 ms.
    package var lastWordTimeout = TimeAmount.milliseconds(250)
    /// How long an exchange may be open before it is recorded as pending.
    ///
    /// Default 20 ms.
    package var pendingDelay = TimeAmount.milliseconds(20)
    /// How long a stopping proxy waits for open exchanges.
    ///
    /// Default 10 s.
    package var drainTimeout = TimeAmount.seconds(10)
    /// Without a byte either way in a tunnel or an event stream, or in a WebSocket that it cannot close, before a stopping proxy ends it.
    ///
    /// Default 1 s.
    package var drainRestTime = TimeAmount.seconds(1)
    /// How long the outcome of an upstream's handshake is taken as known.
    ///
    /// Default 60 s.
    package var handshakeMemory = TimeAmount.seconds(60)
    /// How long the addresses of a name are taken as known.
    ///
    /// Default 5 s.
    package var nameMemory = TimeAmount.seconds(5)

    /// What these times and the durations of the record are measured by.
    ///
    /// The machine's own clock times a connection attempt within `connectTimeout`, and `resetWindow`. Default the machine's; the clock that the
    /// proxy started with stays when it is configured anew.
    package var clock = ProxyClock()

    package init() {}

    var messageLimits: MessageLimits {
        MessageLimits(keptBytes: messageLimitBytes, decodedBytes: messageDecodedLimitBytes)
    }

    var headLimits: HeadLimits {
        HeadLimits(headBytes: headLimitBytes, startLineBytes: startLineLimitBytes, fieldCount: fieldLimitCount)
    }
}
