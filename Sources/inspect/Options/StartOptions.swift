import ArgumentParser
import Foundation
import Proxy

/// The options of `start`, which every command that runs a proxy shares.
struct StartOptions: ParsableArguments {
    @OptionGroup(title: "Listening") var listening: ListenOptions
    @OptionGroup(title: "Listening") var script: PACOptions
    @OptionGroup(title: "Upstreams") var upstreams: UpstreamOptions

    @Option(
        name: .customLong("web-port"),
        help: ArgumentHelp(
            "The page's port; 0 picks one and prints it.",
            discussion: "Default: 9091; any free one for demo.",
            valueName: "n"
        )
    )
    private var givenWebPort: Int?

    @Flag(
        name: .customLong("system-proxy"),
        help: ArgumentHelp(
            "Send this user's programs through the proxy by the system's settings while it runs (see 'inspect system-proxy').",
            discussion: "With --pac-include or --pac-exclude by the script /proxy.pac."
        )
    )
    var isSystemProxy = false

    @Option(
        help: ArgumentHelp(
            "Keep the page's token in this file, so that it is the same after the next start; made where it is not there.",
            discussion: "Programs that ask for /metrics read it there. Without, each start has a token of its own.",
            valueName: "file"
        ),
        completion: .file()
    )
    var webTokenFile: String?

    @OptionGroup(title: "Limits") var limits: LimitOptions
    @OptionGroup(title: "Keeping") var keeping: KeepOptions
    @OptionGroup(title: "Log") var logging: LogOptions

    @OptionGroup var store: StoreOptions
    @OptionGroup var authority: CAOptions

    /// Options of a proxy that stays and that others come to: a proxy that runs for one command has none of them from a configuration.
    static var ofOneThatStays: Set<String> {
        [
            "port", "listen", "listen-mode", "proxy-auth", "allow-client", "pac-include", "pac-exclude", "web-port",
            "web-token-file", "system-proxy",
        ]
    }

    /// The page's port.
    func webPort(_ ports: ListenOptions.DefaultPorts) -> Int { givenWebPort ?? (ports == .known ? 9_091 : 0) }

    /// The page's token: the file's, or a new one.
    ///
    /// - Throws: `InputError` when the file cannot be read or made, or others may read it.
    func webToken() throws -> String { try webTokenFile.map { try TokenFile(path: $0).token() } ?? TokenFile.fresh() }

    mutating func validate() throws {
        if webTokenFile?.isEmpty == true { throw ValidationError("--web-token-file has an empty value; name a file") }
        if let givenWebPort, !(0...65_535).contains(givenWebPort) {
            throw ValidationError("--web-port \(givenWebPort): expected 0 to 65535")
        }
        if let port = listening.port, port != 0, port == givenWebPort {
            throw ValidationError("--port and --web-port are both \(port); give them different ports")
        }
    }

    /// The proxy's configuration, with roots to trust upstream beside those of the options.
    ///
    /// - Throws: `InputError` when a file cannot be read.
    func configuration(ports: ListenOptions.DefaultPorts, extraRootsPEM: String? = nil) throws -> ProxyConfiguration {
        var configuration = try upstreams.configuration(extraRootsPEM: extraRootsPEM)
        let modes = try listening.modes(ports)
        if listening.isListed { configuration.listenModes = modes }
        if let first = modes.first { (configuration.host, configuration.port) = (first.host, first.port) }
        configuration.credentials = try listening.credentials()
        configuration.clientNetworks = try listening.networks()
        limits.apply(to: &configuration)
        return configuration
    }
}
