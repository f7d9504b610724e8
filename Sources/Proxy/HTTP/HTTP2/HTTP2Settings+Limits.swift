import NIOCore
import NIOHTTP2

/// How the proxy speaks HTTP/2 on either side: windows, limits, and which errors end a connection.
extension HTTP2Settings {
    /// The settings for a client; with `takesExtendedConnect` where its upstream takes extended CONNECTs too (RFC 8441 §3).
    static func clientConnection(
        _ configuration: ProxyConfiguration,
        takesExtendedConnect: Bool
    ) -> NIOHTTP2Handler.ConnectionConfiguration {
        var connection = limited(configuration)
        connection.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: configuration.streamLimitCount),
            HTTP2Setting(parameter: .maxHeaderListSize, value: listBytes(configuration)),
            HTTP2Setting(parameter: .initialWindowSize, value: configuration.clientStreamWindowBytes),
        ]
        if takesExtendedConnect {
            connection.initialSettings.append(HTTP2Setting(parameter: .enableConnectProtocol, value: 1))
        }
        connection.targetWindowSize = configuration.clientWindowBytes
        return connection
    }

    static func upstreamConnection(_ configuration: ProxyConfiguration) -> NIOHTTP2Handler.ConnectionConfiguration {
        var connection = limited(configuration)
        connection.initialSettings = [
            HTTP2Setting(parameter: .enablePush, value: 0),
            HTTP2Setting(parameter: .maxHeaderListSize, value: listBytes(configuration)),
            HTTP2Setting(parameter: .initialWindowSize, value: configuration.upstreamStreamWindowBytes),
        ]
        connection.targetWindowSize = configuration.upstreamWindowBytes
        return connection
    }

    static func clientStream(_ configuration: ProxyConfiguration) -> NIOHTTP2Handler.StreamConfiguration {
        stream(configuration, windowBytes: configuration.clientStreamWindowBytes)
    }

    static func upstreamStream(_ configuration: ProxyConfiguration) -> NIOHTTP2Handler.StreamConfiguration {
        stream(configuration, windowBytes: configuration.upstreamStreamWindowBytes)
    }

    /// Whether an error that the library tells concerns the whole connection, so that it has to be closed.
    ///
    /// The library goes on after a frame for a stream that never was, but drops what came with it: an answer may be lost, so that is the end too.
    static func endsConnection(_ error: any Error) -> Bool {
        switch error {
        case is NIOHTTP2Errors.StreamError, is NIOHTTP2Errors.StreamClosed,
            is NIOHTTP2Errors.BadStreamStateTransition, is NIOHTTP2Errors.TrailersWithoutEndStream:
            false
        default: true
        }
    }

    /// Field sections are checked by `HTTP2HeadReader` and lengths by `HTTP2StreamCodec`, which can answer and record what they refuse.
    private static func limited(_ configuration: ProxyConfiguration) -> NIOHTTP2Handler.ConnectionConfiguration {
        var connection = NIOHTTP2Handler.ConnectionConfiguration()
        connection.headerBlockValidation = .disabled
        connection.contentLengthValidation = .disabled
        // As many frames as a head within the limit takes.
        connection.maximumSequentialContinuationFrames = Swift.max(5, listBytes(configuration) >> 14 + 1)
        connection.controlFrameRateLimit.maximumCount = configuration.controlFrameLimitCount
        connection.controlFrameRateLimit.windowLength = configuration.resetWindow
        // Some senders flush before they know that a message is over, so a few empty frames in a row are no flood.
        connection.maximumSequentialEmptyDataFrames = 8
        return connection
    }

    /// Bytes of a decoded field section that the library takes, 32 for each field among them (RFC 9113 §6.5.2).
    ///
    /// Past it the library ends the whole connection, so it is somewhat more than what `HTTP2HeadReader` refuses on the stream alone.
    private static func listBytes(_ configuration: ProxyConfiguration) -> Int {
        let top = Int(Int32.max) / 2
        return Swift.min(configuration.headLimitBytes, top) + 64 * Swift.min(configuration.fieldLimitCount, top / 64)
    }

    private static func stream(_ configuration: ProxyConfiguration, windowBytes: Int)
        -> NIOHTTP2Handler.StreamConfiguration
    {
        var stream = NIOHTTP2Handler.StreamConfiguration()
        stream.targetWindowSize = windowBytes
        stream.outboundBufferSizeHighWatermark = 64 << 10
        stream.outboundBufferSizeLowWatermark = 32 << 10
        stream.streamResetFrameRateLimit.maximumCount = configuration.resetLimitCount
        stream.streamResetFrameRateLimit.windowLength = configuration.resetWindow
        stream.streamErrorRateLimit.maximumCount = configuration.resetLimitCount
        stream.streamErrorRateLimit.windowLength = configuration.resetWindow
        return stream
    }
}
