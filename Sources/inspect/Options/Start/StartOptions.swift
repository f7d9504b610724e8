import Proxy
import Traffic

/// What a command that runs a proxy was given: the groups that `StartsProxy` names, as one value.
struct StartOptions {
    let listening: ListenOptions
    let script: PACOptions
    let upstreams: UpstreamOptions
    let ruling: RuleFileOptions
    let serving: ServingOptions
    let limits: LimitOptions
    let decoding: DecodingOptions
    let keeping: KeepOptions
    let logging: LogOptions
    let store: StoreOptions
    let authority: CAOptions

    /// The options that have another command find this proxy and its root, each with a blank before it; empty for the default places.
    var places: String { storePlace + authority.option }
    /// The option that has another command find the store, with a blank before it; empty for the default place.
    var storePlace: String { store.named.map { " --store \(ShellWord($0))" } ?? "" }

    /// Options of a lasting proxy with clients of its own: a proxy that runs for one command takes none of them from a configuration.
    static var ofOneThatStays: Set<String> {
        [
            "port", "listen", "listen-mode", "proxy-auth", "allow-client", "allow-local", "allow-host", "pac-include",
            "pac-exclude", "web-port",
            "web-token-file", "system-proxy",
        ]
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
        configuration.isThisMachineOpen = listening.allowsLocal
        configuration.ownNames = try listening.names()
        limits.apply(to: &configuration)
        configuration.decodedLimitBytes = decoding.limit.bytes
        return configuration
    }
}
