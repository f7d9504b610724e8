package import NIOCore
package import Traffic

/// Every limit and timeout of the proxy, with its unit and its default.
package struct ProxyConfiguration: Sendable {
    /// The address to listen on.
    ///
    /// Default loopback.
    package var host = "127.0.0.1"
    /// The port to listen on; 0 lets the system pick.
    package var port = 9090
    /// The ways in.
    ///
    /// Default: empty, which means one explicit listener at `host` and `port`.
    package var listenModes: [ListenMode] = []
    /// The login that clients of explicit listeners need, and of SOCKS listeners without credentials of their own.
    ///
    /// Default: no login.
    package var credentials: Credentials?
    /// Hosts whose TLS is never intercepted, by the name of the ClientHello or of the tunnel.
    ///
    /// Default: Apple's hosts.
    package var passThrough = HostPattern.pinned
    /// The proxy through which every upstream is reached.
    ///
    /// Default none.
    package var upstreamProxy: UpstreamProxy?
    /// Addresses that replace the resolver's answers for some hosts and ports.
    ///
    /// Default: empty.
    package var nameOverrides: [NameOverride] = []
    /// Finds the addresses of a name, whose ports do not matter; called on threads of its own, which it may block.
    ///
    /// Default: the system's resolver. A reload does not change it.
    package var lookUp: @Sendable (_ name: String) throws -> [SocketAddress] = NameResolver.lookUp
    /// The directory in which the programs of this machine are found, made like `/proc`.
    ///
    /// Default `/proc`. A reload does not change it.
    package var programsRoot = ProcessTable.usualRoot
    /// What answers every request in place of upstreams; with it the proxy connects to no upstream.
    ///
    /// Default: `nil`.
    package var answers: (any AnswerSource)?
    /// The rules that change traffic from the start; `ProxyServer.setRules(_:)` puts others in their place.
    ///
    /// Default none.
    package var rules: RuleList?
    /// Gives the answers of rules whose content is not in the rules themselves.
    ///
    /// Default none: such a rule answers 502. A reload does not change it.
    package var ruleContents: (any RuleContents)?
    /// The bytes of a body, coded as they came, that are kept because rules look at them; a longer body is not judged.
    ///
    /// Default 8 MiB. A reload does not change it.
    package var ruleBodyLimitBytes = RuleGap.limitBytes
    /// The bytes of all bodies that are kept for rules at once.
    ///
    /// Default 64 MiB. A reload does not change it.
    package var ruleBodiesLimitBytes = 64 << 20
    /// For how long nothing may come of a response whose body rules wait for; then it passes without them.
    ///
    /// Where `firstByteTimeout` or `idleTimeout` is shorter, that counts, which would end the exchange.
    ///
    /// Default 10 s.
    package var ruleSilenceTimeout = TimeAmount.seconds(10)
    /// For how long a response may be held whose body rules wait for, however it comes; then it passes without them.
    ///
    /// Default 30 s.
    package var ruleHoldTimeout = TimeAmount.seconds(30)
    /// The pages that the proxy serves at its own addresses.
    ///
    /// Default: every request there is refused.
    package var localPages: LocalPages?
    /// Puts what mends a failed handshake as a line for a shell, at the end of the failure's message.
    ///
    /// Default none: the message ends with what the failure means.
    package var remedyWords: TLSRemedy.Words?
    /// Networks whose clients may come in, beside this machine's own.
    ///
    /// Default: empty, which admits every client.
    package var clientNetworks: [ClientNetwork] = []
    /// Whether clients of other machines may reach addresses of this machine and of its link.
    ///
    /// Default no.
    package var isThisMachineOpen = false
    /// Names by which clients may address a listener as their server, beside addresses, `localhost` and a reverse upstream's name.
    ///
    /// In lower case, without the root's dot.
    package var ownNames: Set<String> = []
    /// The certificates for upstreams that ask for one; the first whose hosts match is shown.
    package var clientCertificates: [ClientCertificate] = []
    /// The file that the TLS secrets of both sides are appended to.
    ///
    /// Default none.
    package var keyLogFile: String?
    /// Whether HTTP/2 is offered to a client only where its upstream speaks it, and to an upstream only where its client does.
    ///
    /// Default: true. False offers both protocols on both sides.
    package var matchesProtocols = true
    /// Whether a bad upstream certificate is accepted.
    ///
    /// Default no.
    package var isUpstreamVerified = true
    /// Roots, in PEM, that upstreams' certificates may chain to beside the system's; `nil` for none.
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
    /// Bytes that a compressed body is decoded to at most when it is shown.
    ///
    /// Default 32 MiB.
    package var decodedLimitBytes = 32 << 20
    /// Bytes kept of each message of a WebSocket, an event stream or a gRPC call; the whole message is forwarded and measured.
    ///
    /// Default 1 MiB.
    package var messageLimitBytes = 1 << 20
    /// Bytes that such a message may decompress to for the record.
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
    /// The time over which resets, breaches and control frames of one side are counted.
    ///
    /// Default 30 s.
    package var resetWindow = TimeAmount.seconds(30)
    /// PING, SETTINGS and PRIORITY frames of one side of an HTTP/2 connection within `resetWindow`.
    ///
    /// Default 3,000.
    package var controlFrameLimitCount = 3_000
    /// Bytes that a client may send on one stream before they are passed on (its flow-control window).
    ///
    /// Default 256 KiB.
    package var clientStreamWindowBytes = 256 << 10
    /// The same of all streams of a connection.
    ///
    /// Default 1 MiB.
    package var clientWindowBytes = 1 << 20
    /// Bytes that an upstream may send on one stream before they are passed on (its flow-control window).
    ///
    /// For a client that stalls the proxy holds so many bytes, and 256 KiB each in TLS, in the sockets and for the record.
    ///
    /// Default 1 MiB.
    package var upstreamStreamWindowBytes = 1 << 20
    /// The same of all streams of a connection.
    ///
    /// Default 4 MiB.
    package var upstreamWindowBytes = 4 << 20
    /// Bytes that a client may send ahead while its previous request is answered.
    ///
    /// Default 64 KiB.
    package var pipelineLimitBytes = 64 << 10
    /// Client connections; at the limit further ones wait in the kernel until one closes.
    ///
    /// Default 10,000.
    package var connectionLimitCount = 10_000
    /// Upstream connections that are open or being opened, with those of tunnels and idle ones.
    ///
    /// At the limit the idle ones are closed, and a further connection waits for a place for as long as connecting may take; so do at most 1,024.
    ///
    /// Default 1,048,576: as many as a process may have files.
    package var upstreamLimitCount = 1 << 20
    /// Interim responses of one exchange.
    ///
    /// Default 64.
    package var interimLimitCount = 64

    /// The time to open an upstream connection, name resolution included; an upstream proxy may take as long again to open its own.
    ///
    /// Where all upstream connections that there may be are in use, the wait for one of them to close may take as long before it.
    ///
    /// Default 10 s.
    package var connectTimeout = TimeAmount.seconds(10)
    /// The time from the first to the last byte of a TLS handshake, on either side.
    ///
    /// Default 10 s.
    package var handshakeTimeout = TimeAmount.seconds(10)
    /// The time from the first to the last byte of a request head, and from accepting a connection to the end of its SOCKS handshake.
    ///
    /// Default 15 s.
    package var headTimeout = TimeAmount.seconds(15)
    /// How long the proxy waits for a client's first bytes after a CONNECT before it lets the upstream speak first.
    ///
    /// Default 3 s.
    package var peekTimeout = TimeAmount.seconds(3)
    /// The time from the last byte of a request, or of an interim response, to the head of its response.
    ///
    /// Default 120 s.
    package var firstByteTimeout = TimeAmount.seconds(120)
    /// The time without a byte either way while a request is sent or a response is read.
    ///
    /// Default 120 s.
    package var idleTimeout = TimeAmount.seconds(120)
    /// The time without a byte either way in a tunnel, a WebSocket, an event stream or a gRPC call.
    ///
    /// Default 1 h.
    package var tunnelIdleTimeout = TimeAmount.hours(1)
    /// How long a client connection with no exchange on it stays open.
    ///
    /// Default 5 min.
    package var keepAliveTimeout = TimeAmount.minutes(5)
    /// How long an upstream connection with no exchange on it is kept.
    ///
    /// Default 30 s.
    package var upstreamKeepAliveTimeout = TimeAmount.seconds(30)
    /// Upstream connections without an exchange that an event loop keeps, those kept for one client among them; past the limit the oldest is closed.
    ///
    /// Default 256.
    package var idleUpstreamLimitCount = 256
    /// How long the content of a large upload waits behind its head, on a new connection of HTTP/1.1 (`HeadFirstUpstream`).
    ///
    /// Default 5 ms.
    package var uploadDelay = TimeAmount.milliseconds(5)
    /// How long the end of a response waits for the record's commit.
    ///
    /// Default 1 s.
    package var holdTimeout = TimeAmount.seconds(1)
    /// How long the proxy waits for a last word.
    ///
    /// That is the end of an HTTP/2 upstream's stream whose content is whole, a WebSocket client's close frame after the upstream's, and both sides'
    /// close frames after those of a stopping proxy. A stopping proxy waits as long for an upstream's end of a WebSocket's stream; and a client of
    /// HTTP/2 that breaks the rules may take nothing for as long of what was written before.
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
    /// The time without a byte either way after which a stopping proxy ends a tunnel, an event stream, or a WebSocket that it cannot close.
    ///
    /// So long it also waits for a client that takes nothing of what the socket holds, and for an upstream that takes nothing of what is left of
    /// an answered request.
    ///
    /// Default 1 s.
    package var drainRestTime = TimeAmount.seconds(1)
    /// How long the outcome of an upstream's handshake is remembered.
    ///
    /// Default 60 s.
    package var handshakeMemory = TimeAmount.seconds(60)
    /// How long the addresses of a name are remembered.
    ///
    /// Default 5 s.
    package var nameMemory = TimeAmount.seconds(5)

    /// The clock that measures these times and the record's durations, and dates its rows.
    ///
    /// The machine's own clock times a connection attempt within `connectTimeout`, and `resetWindow`.
    /// Default: the machine's. A reload does not change it.
    package var clock = ProxyClock()

    package init() {}

    var messageLimits: MessageLimits {
        MessageLimits(keptBytes: messageLimitBytes, decodedBytes: messageDecodedLimitBytes)
    }

    /// Bytes of the heads of all interim responses of one exchange, all of which the record keeps: 512 KiB, or as many as one head may have.
    var interimLimitBytes: Int { max(headLimitBytes, 512 << 10) }

    var headLimits: HeadLimits {
        HeadLimits(headBytes: headLimitBytes, startLineBytes: startLineLimitBytes, fieldCount: fieldLimitCount)
    }
}
