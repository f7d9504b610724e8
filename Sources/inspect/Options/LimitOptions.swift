import ArgumentParser
import NIOCore
import Proxy

/// How much, how many and how long: the limits of a running proxy.
struct LimitOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Bytes of a message's head, and of its trailers.", valueName: "size"),
        transform: ByteCount.init(option:)
    )
    var headerLimit = ByteCount(defaults.headLimitBytes)

    @Option(help: ArgumentHelp("Field lines of a message's head.", valueName: "n"), transform: Count.init(option:))
    var headerCountLimit = Count(defaults.fieldLimitCount)

    @Option(
        help: ArgumentHelp(
            "Bytes of each body that are kept; the rest is forwarded, counted and digested.",
            valueName: "size"
        ),
        transform: ByteCount.init(orNone:)
    )
    var bodyLimit = ByteCount(Int(defaults.bodyLimitBytes))

    @Option(
        help: ArgumentHelp(
            "Bytes of each WebSocket, event stream or gRPC message that are kept; all of it is forwarded and measured.",
            valueName: "size"
        ),
        transform: ByteCount.init(orNone:)
    )
    var messageLimit = ByteCount(defaults.messageLimitBytes)

    @Option(
        help: ArgumentHelp("Bytes that one such message may decompress to for the record.", valueName: "size"),
        transform: ByteCount.init(option:)
    )
    var messageDecodedLimit = ByteCount(defaults.messageDecodedLimitBytes)

    @Option(
        help: ArgumentHelp("Connecting to an upstream, with the look-up of its name.", valueName: "time"),
        transform: TimeSpan.init(option:)
    )
    var connectTimeout = TimeSpan(defaults.connectTimeout)

    @Option(
        help: ArgumentHelp("A TLS handshake, on either side.", valueName: "time"),
        transform: TimeSpan.init(option:)
    )
    var handshakeTimeout = TimeSpan(defaults.handshakeTimeout)

    @Option(
        help: ArgumentHelp("From the end of a request to the first byte of its response.", valueName: "time"),
        transform: TimeSpan.init(option:)
    )
    var firstByteTimeout = TimeSpan(defaults.firstByteTimeout)

    @Option(
        help: ArgumentHelp("Without a byte either way, inside a request or a response.", valueName: "time"),
        transform: TimeSpan.init(option:)
    )
    var idleTimeout = TimeSpan(defaults.idleTimeout)

    @Option(
        help: ArgumentHelp("Client connections open at once; further ones wait to be accepted.", valueName: "n"),
        transform: Count.init(option:)
    )
    var connectionLimit = Count(defaults.connectionLimitCount)

    @Option(
        help: ArgumentHelp("Streams that a client may have open on one HTTP/2 connection.", valueName: "n"),
        transform: Count.init(option:)
    )
    var streamLimit = Count(defaults.streamLimitCount)

    @Option(
        help: ArgumentHelp("Streams that one side of an HTTP/2 connection may reset within 30 s.", valueName: "n"),
        transform: Count.init(option:)
    )
    var resetLimit = Count(defaults.resetLimitCount)

    @OptionGroup var decoding: DecodingOptions

    /// Sets them.
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
        configuration.decodedLimitBytes = decoding.limit.bytes
    }

    private static var defaults: ProxyConfiguration { ProxyConfiguration() }
}

/// `--decoded-limit`: how much of a coded body is looked at.
struct DecodingOptions: ParsableArguments {
    @Option(
        name: .customLong("decoded-limit"),
        help: ArgumentHelp(
            "Bytes that a compressed body is decoded to for being shown; the rest is left out.",
            valueName: "size"
        ),
        transform: ByteCount.init(option:)
    )
    var limit = ByteCount(ProxyConfiguration().decodedLimitBytes)
}
