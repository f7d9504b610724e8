import ArgumentParser
import Proxy

/// `--decoded-limit`: how much of a compressed body is decoded.
struct DecodingOptions: ParsableArguments {
    @Option(
        name: .customLong("decoded-limit"),
        help: ArgumentHelp.limit(
            "Bytes that a compressed body is decoded to for display; the rest is left out.",
            ByteCount(ProxyConfiguration().decodedLimitBytes),
            valueName: "size"
        ),
        transform: ByteCount.init(option:)
    )
    var limit = ByteCount(ProxyConfiguration().decodedLimitBytes)
}
