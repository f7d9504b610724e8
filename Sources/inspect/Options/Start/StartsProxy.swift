import ArgumentParser
import Proxy

/// A command that runs a proxy, with the groups of options that all such commands share.
///
/// Each of them declares the groups side by side, and not within a group of groups: a debug build of the parser checks what stands in a group five
/// times for every level that it is deep.
protocol StartsProxy: ParsableCommand {
    var listening: ListenOptions { get }
    var script: PACOptions { get }
    var upstreams: UpstreamOptions { get }
    var ruling: RuleFileOptions { get }
    var serving: ServingOptions { get }
    var limits: LimitOptions { get }
    var decoding: DecodingOptions { get }
    var keeping: KeepOptions { get }
    var logging: LogOptions { get }
    var store: StoreOptions { get }
    var authority: CAOptions { get }
    /// The ports that the command takes where none is named.
    static var ports: ListenOptions.DefaultPorts { get }
}

extension StartsProxy {
    static var ports: ListenOptions.DefaultPorts { .known }

    /// The options as one value.
    var options: StartOptions {
        StartOptions(
            listening: listening,
            script: script,
            upstreams: upstreams,
            ruling: ruling,
            serving: serving,
            limits: limits,
            decoding: decoding,
            keeping: keeping,
            logging: logging,
            store: store,
            authority: authority
        )
    }

    /// Checks that options of different groups go together; a command that validates more calls this first.
    ///
    /// - Throws: `ValidationError` naming the options that do not go together.
    func validateTogether() throws {
        let page = ListenMode(.explicit, host: "127.0.0.1", port: serving.webPort(Self.ports))
        guard let mode = try listening.modes(Self.ports).first(where: { $0.excludes(page) }) else { return }
        let way = listening.isListed ? "--listen-mode \(mode.place)" : "--port"
        let unnamed =
            serving.givenWebPort == nil
            ? "--web-port" : listening.isListed || listening.port != nil ? nil : "--port"
        let reason = unnamed.map { ", which \($0) is where none is named" } ?? ""
        throw ValidationError("\(way) and --web-port are both \(page.port)\(reason); give them different ports")
    }

    /// Validates what holds for every command that runs a proxy, where the command validates nothing more.
    func validate() throws { try validateTogether() }
}
