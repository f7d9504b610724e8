import ArgumentParser
import Foundation
import Proxy

/// The options of `start`, which every command that runs a proxy shares.
struct StartOptions: ParsableArguments {
    @Option(
        name: .customLong("port"),
        help: ArgumentHelp(
            "The proxy's port; 0 picks one and prints it.",
            discussion: "Default: 9090; any free one for demo.",
            valueName: "n"
        )
    )
    private var givenPort: Int?

    @Option(
        name: .customLong("web-port"),
        help: ArgumentHelp(
            "The page's port; 0 picks one and prints it.",
            discussion: "Default: 9091; any free one for demo.",
            valueName: "n"
        )
    )
    private var givenWebPort: Int?

    @Option(
        help: ArgumentHelp(
            "The address to listen on. Anything but loopback lets others use the proxy.",
            valueName: "address"
        )
    )
    var listen: String = "127.0.0.1"

    @Option(
        help: ArgumentHelp("A PEM file of further roots that upstreams may chain to.", valueName: "file"),
        completion: .file()
    )
    var upstreamCA: String?

    @Flag(help: "Accept any upstream certificate. Every exchange over TLS may then be with somebody else.")
    var insecureUpstream = false

    @Flag(
        inversion: .prefixedNo,
        help: "Offer a client HTTP/2 only where its upstream speaks it, and an upstream only where its client does."
    )
    var matchProtocols = true

    @Option(
        help: ArgumentHelp(
            "Bytes of each body that are kept; the rest is forwarded, counted and digested.",
            valueName: "bytes"
        )
    )
    var bodyLimit: Int64 = 64 << 20

    @OptionGroup var store: StoreOptions
    @OptionGroup var authority: CAOptions

    /// The ports to listen on when none is named.
    enum DefaultPorts: Sendable {
        /// 9090 and 9091, which people remember.
        case known
        /// Any free ones, so that a demonstration runs beside a proxy.
        case any
    }

    /// The proxy's port.
    func port(_ ports: DefaultPorts) -> Int { givenPort ?? (ports == .known ? 9_090 : 0) }

    /// The page's port.
    func webPort(_ ports: DefaultPorts) -> Int { givenWebPort ?? (ports == .known ? 9_091 : 0) }

    mutating func validate() throws {
        for (name, value) in [("--port", givenPort ?? 0), ("--web-port", givenWebPort ?? 0)]
        where !(0...65_535).contains(value) {
            throw ValidationError("\(name) \(value): expected 0 to 65535")
        }
        if bodyLimit < 0 { throw ValidationError("--body-limit \(bodyLimit): expected a number of bytes, 0 or more") }
        if let givenPort, givenPort != 0, givenPort == givenWebPort {
            throw ValidationError("--port and --web-port are both \(givenPort); give them different ports")
        }
    }

    /// The proxy's configuration, with roots to trust upstream beside those of the options.
    ///
    /// - Throws: `InputError` when the file of further roots cannot be read.
    func configuration(ports: DefaultPorts, extraRootsPEM: String? = nil) throws -> ProxyConfiguration {
        var configuration = ProxyConfiguration()
        configuration.host = listen
        configuration.port = port(ports)
        configuration.isUpstreamVerified = !insecureUpstream
        configuration.bodyLimitBytes = bodyLimit
        configuration.matchesProtocols = matchProtocols
        var roots = extraRootsPEM ?? ""
        if let upstreamCA {
            guard let bytes = FileManager.default.contents(atPath: upstreamCA) else {
                throw InputError("--upstream-ca \(upstreamCA) cannot be read; name a file of PEM certificates")
            }
            roots += String(decoding: bytes, as: UTF8.self)
        }
        configuration.upstreamRootsPEM = extraRootsPEM == nil && upstreamCA == nil ? nil : roots
        return configuration
    }
}
