import ArgumentParser
import Foundation
import Proxy
import Traffic

/// Where the proxy listens, and which clients it admits.
struct ListenOptions: ParsableArguments {
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
        name: .customLong("listen"),
        help: ArgumentHelp(
            "The address to listen on. Anything but loopback needs --proxy-auth or --allow-client.",
            valueName: "address"
        )
    )
    private var address: String = "127.0.0.1"

    @Option(
        name: .customLong("listen-mode"),
        help: ArgumentHelp(
            "A way in: MODE@[ADDRESS:]PORT. May be repeated; then --port is left out.",
            discussion: """
                MODE is explicit (an HTTP proxy), socks5 or socks5:USER:PASSWORD, reverse:http://HOST[:PORT] or reverse:https://HOST[:PORT] \
                (everything goes to that server), or transparent (connections that Linux's firewall redirects). ADDRESS defaults to --listen's. \
                Every user of the machine can read a command line while the proxy runs. Only you can read $INSPECT_LISTEN_MODE, and a configuration \
                file of mode 600 (listen-mode: [mode]).
                """,
            valueName: "mode"
        )
    )
    private var givenModes: [String] = []

    @Option(
        name: .customLong("proxy-auth"),
        help: ArgumentHelp(
            "The login that clients of explicit listeners must show, and clients of socks5 listeners without a user of their own.",
            discussion: """
                Every user of the machine can read a command line while the proxy runs. Only you can read $INSPECT_PROXY_AUTH, and a configuration \
                file of mode 600 (proxy-auth: user:password).
                """,
            valueName: "user:password"
        )
    )
    private var givenCredentials: String?

    @Option(
        name: .customLong("allow-client"),
        help: ArgumentHelp(
            "Clients to admit beside this machine: an address, or a network such as 192.168.1.0/24. May be repeated.",
            valueName: "cidr"
        )
    )
    private var givenNetworks: [String] = []

    @Flag(
        name: .customLong("allow-local"),
        help: ArgumentHelp(
            "Let clients of other machines reach this machine's own addresses and link-local ones too.",
            discussion: """
                Without it, a client gets 403 where its request leads to loopback, to an interface of this machine, to a link-local address, or to the \
                address where a cloud gives this machine its keys. Servers there trust programs of this machine. The upstream of a reverse listener is \
                always reached. An upstream proxy on this machine is asked for the address that a name has here; a name without one gets 403.
                """
        )
    )
    private(set) var allowsLocal = false

    @OptionGroup private var hostNames: HostNameOptions

    /// The names by which clients may address reverse listeners.
    ///
    /// - Throws: `ValidationError` naming the text that is no host name.
    func names() throws -> Set<String> { try hostNames.names() }

    /// The ports to listen on when none is named.
    enum DefaultPorts: Sendable {
        /// 9090 and 9091, which people remember.
        case known
        /// Any free ports, so that a demonstration runs beside a proxy.
        case any
    }

    /// The port as given, for the one listener without `--listen-mode`.
    var port: Int? { givenPort }

    /// Whether the ways in are listed one by one.
    var isListed: Bool { !givenModes.isEmpty }

    /// The ways in.
    ///
    /// - Throws: `ValidationError` naming the part of a mode that cannot be read.
    func modes(_ ports: DefaultPorts) throws -> [ListenMode] {
        guard !givenModes.isEmpty else {
            return [ListenMode(.explicit, host: host, port: givenPort ?? (ports == .known ? 9_090 : 0))]
        }
        return try givenModes.map { try ListenMode(option: $0, defaultHost: host) }
    }

    /// The login that clients must show.
    ///
    /// - Throws: `ValidationError` when the option holds no user and password.
    func credentials() throws -> Credentials? {
        guard let givenCredentials else { return nil }
        guard let credentials = Credentials(givenCredentials) else {
            throw ValidationError("--proxy-auth: expected USER:PASSWORD, each of at most 255 bytes")
        }
        return credentials
    }

    /// The clients admitted beside this machine; empty where no list is given.
    ///
    /// - Throws: `ValidationError` naming the text that is neither an address nor a network.
    func networks() throws -> [ClientNetwork] {
        try givenNetworks.map { text in
            guard let network = ClientNetwork(text) else {
                throw ValidationError(
                    "--allow-client \(text): expected an address or a network, as in 192.168.1.7 or 192.168.1.0/24"
                )
            }
            return network
        }
    }

    /// The user and the password as a URL holds them; `nil` where clients need none.
    func encodedCredentials() throws -> String? {
        guard let credentials = try credentials() else { return nil }
        return [credentials.user, credentials.password]
            .map { PercentCoding.encoded($0.utf8, keeping: .word) }
            .joined(separator: ":")
    }

    mutating func validate() throws {
        if let givenPort, !(0...65_535).contains(givenPort) {
            throw ValidationError("--port \(givenPort): expected 0 to 65535")
        }
        if givenPort != nil, !givenModes.isEmpty {
            throw ValidationError("--port and --listen-mode exclude each other; write --listen-mode explicit@PORT")
        }
        let modes = try modes(.known)
        for (position, mode) in modes.enumerated() {
            guard let other = modes[..<position].first(where: { $0.excludes(mode) }) else { continue }
            let places = other.host == mode.host ? mode.place : "\(other.place) and \(mode.place)"
            throw ValidationError("two of --listen-mode are at \(places); give them different ports")
        }
        try checkGuards(of: modes)
    }

    /// Checks that the login and the networks of these options guard some ways in, which need not be those of these options.
    ///
    /// A listener that other machines reach is an open proxy unless it asks for a login or admits listed clients alone.
    ///
    /// - Throws: `ValidationError` naming the way in that any machine could use.
    func checkGuards(of modes: [ListenMode]) throws {
        let (credentials, networks) = (try credentials(), try networks())
        for mode in modes where !mode.isLoopback && networks.isEmpty {
            let remedy = "--allow-client 192.168.1.0/24 (your network) says who may"
            switch mode.way {
            case .explicit where credentials == nil, .socks5(nil) where credentials == nil:
                throw ValidationError(
                    "whoever reaches \(mode.place) could send traffic through this machine and be recorded: --proxy-auth USER:PASSWORD asks them to log in, or \(remedy)"
                )
            case .reverse, .transparent:
                throw ValidationError(
                    "whoever reaches \(mode.place) could send traffic through this machine, and no login can be asked for there: \(remedy)"
                )
            default: break
            }
        }
    }

    /// The address without the brackets that people write round IPv6.
    private var host: String {
        address.hasPrefix("[") && address.hasSuffix("]") ? String(address.dropFirst().dropLast()) : address
    }
}
