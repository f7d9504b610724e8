import ArgumentParser
import Proxy

/// Which hosts `/proxy.pac` sends through the proxy.
struct PACOptions: ParsableArguments {
    @Option(
        name: .customLong("pac-include"),
        help: ArgumentHelp(
            "The hosts that /proxy.pac sends through the proxy, comma-separated; * stands for anything. May be repeated.",
            discussion: "Default: all.",
            valueName: "hosts"
        )
    )
    private var given: [String] = []

    @Option(
        name: .customLong("pac-exclude"),
        help: ArgumentHelp(
            "The hosts that /proxy.pac sends past the proxy, whatever --pac-include says. May be repeated.",
            valueName: "hosts"
        )
    )
    private var givenExceptions: [String] = []

    /// The script's hosts.
    ///
    /// - Throws: `ValidationError` naming the text that is no host.
    func script() throws -> ProxyScript {
        ProxyScript(
            included: try PACOptions.patterns(given, "--pac-include"),
            excluded: try PACOptions.patterns(givenExceptions, "--pac-exclude")
        )
    }

    mutating func validate() throws { _ = try script() }

    private static func patterns(_ lists: [String], _ option: String) throws -> [HostPattern] {
        try lists.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }.map {
            guard let pattern = HostPattern(String($0)) else {
                throw ValidationError(
                    "\(option) \($0): expected host names, addresses or patterns such as *.example.com, without ports"
                )
            }
            return pattern
        }
    }
}
