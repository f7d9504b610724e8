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

    @OptionGroup(title: "Limits") var limits: LimitOptions
    @OptionGroup(title: "Keeping") var keeping: KeepOptions

    @OptionGroup var store: StoreOptions
    @OptionGroup var authority: CAOptions

    /// The page's port.
    func webPort(_ ports: ListenOptions.DefaultPorts) -> Int { givenWebPort ?? (ports == .known ? 9_091 : 0) }

    mutating func validate() throws {
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
