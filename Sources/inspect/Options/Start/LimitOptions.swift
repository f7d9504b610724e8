import ArgumentParser
import NIOCore
import Proxy

/// How much, how many and how long: the limits of a running proxy.
struct LimitOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp.limit(
            "Bytes of a message's head, and of its trailers.",
            ByteCount(defaults.headLimitBytes),
            valueName: "size"
        ),
        transform: ByteCount.init(option:)
    )
    var headerLimit = ByteCount(defaults.headLimitBytes)

    @Option(
        help: ArgumentHelp.limit(
            "Field lines of a message's head.",
            Count(defaults.fieldLimitCount),
            valueName: "n"
        ),
        transform: Count.init(option:)
    )
    var headerCountLimit = Count(defaults.fieldLimitCount)

    @Option(
        help: ArgumentHelp.limit(
            "Bytes of each body that are kept; the rest is forwarded, counted and digested.",
            ByteCount(Int(defaults.bodyLimitBytes)),
            valueName: "size"
        ),
        transform: ByteCount.init(orNone:)
    )
    var bodyLimit = ByteCount(Int(defaults.bodyLimitBytes))

    @Option(
        help: ArgumentHelp.limit(
            "Bytes of each WebSocket, event stream or gRPC message that are kept; all of it is forwarded and measured.",
            ByteCount(defaults.messageLimitBytes),
            valueName: "size"
        ),
        transform: ByteCount.init(orNone:)
    )
    var messageLimit = ByteCount(defaults.messageLimitBytes)

    @Option(
        help: ArgumentHelp.limit(
            "Bytes that one such message may decompress to for the record.",
            ByteCount(defaults.messageDecodedLimitBytes),
            valueName: "size"
        ),
        transform: ByteCount.init(option:)
    )
    var messageDecodedLimit = ByteCount(defaults.messageDecodedLimitBytes)

    @Option(
        help: ArgumentHelp.limit(
            "Connecting to an upstream, with the look-up of its name.",
            TimeSpan(defaults.connectTimeout),
            valueName: "time"
        ),
        transform: TimeSpan.init(option:)
    )
    var connectTimeout = TimeSpan(defaults.connectTimeout)

    @Option(
        help: ArgumentHelp.limit(
            "A TLS handshake, on either side.",
            TimeSpan(defaults.handshakeTimeout),
            valueName: "time"
        ),
        transform: TimeSpan.init(option:)
    )
    var handshakeTimeout = TimeSpan(defaults.handshakeTimeout)

    @Option(
        help: ArgumentHelp.limit(
            "From the end of a request to the first byte of its response.",
            TimeSpan(defaults.firstByteTimeout),
            valueName: "time"
        ),
        transform: TimeSpan.init(option:)
    )
    var firstByteTimeout = TimeSpan(defaults.firstByteTimeout)

    @Option(
        help: ArgumentHelp.limit(
            "Without a byte either way, inside a request or a response.",
            TimeSpan(defaults.idleTimeout),
            valueName: "time"
        ),
        transform: TimeSpan.init(option:)
    )
    var idleTimeout = TimeSpan(defaults.idleTimeout)

    @Option(
        help: ArgumentHelp.limit(
            "Client connections open at once; further ones wait to be accepted.",
            Count(defaults.connectionLimitCount),
            valueName: "n"
        ),
        transform: Count.init(option:)
    )
    var connectionLimit = Count(defaults.connectionLimitCount)

    @Option(
        help: ArgumentHelp.limit(
            "Streams that a client may have open on one HTTP/2 connection.",
            Count(defaults.streamLimitCount),
            valueName: "n"
        ),
        transform: Count.init(option:)
    )
    var streamLimit = Count(defaults.streamLimitCount)

    @Option(
        help: ArgumentHelp.limit(
            "Streams that one side of an HTTP/2 connection may reset within 30 s.",
            Count(defaults.resetLimitCount),
            valueName: "n"
        ),
        transform: Count.init(option:)
    )
    var resetLimit = Count(defaults.resetLimitCount)

    @Option(
        name: .customLong("drain-seconds"),
        help: ArgumentHelp.limit(
            "How long a stopping proxy waits for open exchanges; those still open then are recorded as failed.",
            drainSeconds,
            valueName: "seconds"
        )
    )
    var drain = drainSeconds

    mutating func validate() throws {
        guard (0...86_400).contains(drain) else {
            throw ValidationError("--drain-seconds \(drain): expected 0 to 86400")
        }
    }

    /// Sets the limits of a proxy's configuration.
    func apply(to configuration: inout ProxyConfiguration) {
        configuration.headLimitBytes = headerLimit.bytes
        configuration.startLineLimitBytes = min(configuration.startLineLimitBytes, headerLimit.bytes)
        configuration.fieldLimitCount = headerCountLimit.count
        configuration.bodyLimitBytes = Int64(bodyLimit.bytes)
        configuration.messageLimitBytes = messageLimit.bytes
        configuration.messageDecodedLimitBytes = messageDecodedLimit.bytes
        configuration.connectTimeout = connectTimeout.amount
        configuration.handshakeTimeout = handshakeTimeout.amount
        configuration.firstByteTimeout = firstByteTimeout.amount
        configuration.idleTimeout = idleTimeout.amount
        configuration.connectionLimitCount = connectionLimit.count
        configuration.streamLimitCount = streamLimit.count
        configuration.resetLimitCount = resetLimit.count
        configuration.drainTimeout = .seconds(Int64(drain))
    }

    private static var defaults: ProxyConfiguration { ProxyConfiguration() }

    private static var drainSeconds: Int { Int(defaults.drainTimeout.nanoseconds / 1_000_000_000) }
}
