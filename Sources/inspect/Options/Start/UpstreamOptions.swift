import ArgumentParser
import Foundation
import Proxy
import Traffic

/// How upstreams are reached, and which hosts are not decrypted.
struct UpstreamOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("A PEM file of further roots that upstreams may chain to.", valueName: "file"),
        completion: .file()
    )
    var upstreamCA: String?

    @Flag(help: "Accept any upstream certificate. Somebody else may then answer in place of the server.")
    var insecureUpstream = false

    @Flag(
        inversion: .prefixedNo,
        help: "Offer a client HTTP/2 only where its upstream speaks it, and an upstream only where its client does."
    )
    var matchProtocols = true

    @Option(
        name: .customLong("upstream-proxy"),
        help: ArgumentHelp(
            "Reach every upstream through this proxy, which resolves their names.",
            discussion: """
                http://[USER:PASSWORD@]HOST:PORT (asked to CONNECT, for plain HTTP too) or socks5://[USER:PASSWORD@]HOST:PORT. Every user of the \
                machine can read a command line while the proxy runs. Only you can read $INSPECT_UPSTREAM_PROXY, and a configuration file of \
                mode 600 (upstream-proxy: url).
                """,
            valueName: "url"
        )
    )
    private var givenProxy: String?

    @Option(
        name: .customLong("client-certificate"),
        help: ArgumentHelp(
            "Show this certificate to upstreams that ask for one: a PEM file with the chain and its key. May be repeated.",
            discussion: "HOST may hold *, as in *.example.com; the first that fits is shown.",
            valueName: "host=file"
        ),
        completion: .file()
    )
    private var givenCertificates: [String] = []

    @Option(
        name: .customLong("pass-through"),
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Hosts whose TLS is never decrypted, only recorded as a tunnel. Takes several, comma lists, and * for anything.",
            discussion:
                "Apple's hosts, whose clients refuse any other certificate, are on the list: \(HostPattern.pinned.map(\.description).joined(separator: ", ")).",
            valueName: "host"
        )
    )
    private var givenPassThrough: [String] = []

    @Flag(name: .customLong("no-default-pass-through"), help: "Read Apple's hosts too, where their clients allow it.")
    var leavesOutPinned = false

    @Option(
        name: .customLong("resolve"),
        help: ArgumentHelp(
            "Connect to these addresses for a host and port, as curl's option does. May be repeated.",
            discussion: "HOST may be *, for every host without one of its own; IPv6 addresses may stand in brackets.",
            valueName: "host:port:addr[,addr]"
        )
    )
    private var givenOverrides: [String] = []

    @Option(
        help: ArgumentHelp(
            "Append the TLS secrets of both sides to this file (NSS key log), so that Wireshark reads a capture of the wire.",
            valueName: "file"
        ),
        completion: .file()
    )
    var keyLog: String?

    /// A proxy's configuration with these options for upstreams.
    ///
    /// - Throws: `InputError` when a file cannot be read.
    func configuration(extraRootsPEM: String? = nil) throws -> ProxyConfiguration {
        var configuration = ProxyConfiguration()
        configuration.isUpstreamVerified = !insecureUpstream
        configuration.upstreamProxy = try proxy()
        configuration.nameOverrides = try overrides()
        configuration.clientCertificates = try certificates()
        configuration.passThrough = try passThrough()
        configuration.keyLogFile = keyLog
        configuration.matchesProtocols = matchProtocols
        configuration.remedyWords = \.command
        let roots = [extraRootsPEM, try roots()].compactMap { $0 }
        configuration.upstreamRootsPEM = roots.isEmpty ? nil : roots.joined()
        return configuration
    }

    /// The hosts whose TLS is never decrypted.
    ///
    /// - Throws: `ValidationError` naming the text that is no host.
    func passThrough() throws -> [HostPattern] {
        let given = try givenPassThrough.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }.map {
            guard let pattern = HostPattern(String($0)) else {
                throw ValidationError(
                    "--pass-through \($0): expected host names, addresses or patterns such as *.example.com, without ports"
                )
            }
            return pattern
        }
        return (leavesOutPinned ? [] : HostPattern.pinned) + given
    }

    /// The proxy that upstreams are reached through.
    ///
    /// - Throws: `ValidationError`, without repeating a password.
    func proxy() throws -> UpstreamProxy? {
        guard let givenProxy else { return nil }
        let mistake = ValidationError(
            "--upstream-proxy: expected http://[USER:PASSWORD@]HOST:PORT or socks5://[USER:PASSWORD@]HOST:PORT"
        )
        let kinds = ["http://": UpstreamProxy.Kind.http, "socks5://": .socks5, "socks5h://": .socks5]
        guard let (start, kind) = kinds.first(where: { givenProxy.lowercased().hasPrefix($0.key) }) else {
            throw mistake
        }
        var rest = givenProxy.dropFirst(start.count)
        if rest.hasSuffix("/") { rest.removeLast() }
        var credentials: Credentials?
        if let at = rest.lastIndex(of: "@") {
            // As in any URL, what would end the part is written with a percent.
            let parts = rest[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map {
                PercentCoding.wholeText(String($0))
            }
            guard parts.count == 2, let user = parts[0], let password = parts[1],
                let both = Credentials(user: user, password: password)
            else { throw mistake }
            credentials = both
            rest = rest[rest.index(after: at)...]
        }
        guard let endpoint = Endpoint(authority: rest, defaultPort: nil) else { throw mistake }
        return UpstreamProxy(kind, endpoint, credentials: credentials)
    }

    /// The addresses that replace the resolver's answers.
    ///
    /// - Throws: `ValidationError` naming the text that cannot be read.
    func overrides() throws -> [NameOverride] {
        try givenOverrides.map { text in
            let mistake = ValidationError(
                "--resolve \(text): expected HOST:PORT:ADDRESS[,ADDRESS …], as in example.com:443:127.0.0.1"
            )
            // curl's + says when its own cache forgets the entry; ours never does.
            let parts = (text.hasPrefix("+") ? text.dropFirst() : text[...])
            let isBracketed = parts.hasPrefix("[")
            guard
                let hostEnd = isBracketed
                    ? parts.firstIndex(of: "]").map(parts.index(after:)) : parts.firstIndex(of: ":"),
                hostEnd < parts.endIndex, parts[hostEnd] == ":"
            else { throw mistake }
            let host = parts[..<hostEnd].trimmingCharacters(in: ["[", "]"])
            let rest = parts[parts.index(after: hostEnd)...].split(separator: ":", maxSplits: 1)
            guard rest.count == 2, let port = Int(rest[0]), (1...65_535).contains(port), !host.isEmpty else {
                throw mistake
            }
            let addresses = rest[1].split(separator: ",", omittingEmptySubsequences: false).map {
                $0.trimmingCharacters(in: ["[", "]"])
            }
            guard let override = NameOverride(host: host == "*" ? nil : host, port: port, addresses: addresses) else {
                throw mistake
            }
            return override
        }
    }

    /// The certificates that upstreams are shown.
    ///
    /// - Throws: `InputError` when a file cannot be read.
    func certificates() throws -> [ClientCertificate] {
        try givenCertificates.map { text in
            let (hosts, file) = try UpstreamOptions.certificate(text)
            guard let bytes = FileManager.default.contents(atPath: file) else {
                throw InputError(
                    "--client-certificate \(file) cannot be read; name a PEM file with the certificate and its key"
                )
            }
            return ClientCertificate(hosts: hosts, pem: String(decoding: bytes, as: UTF8.self), file: file)
        }
    }

    /// Further roots to trust upstream, PEM.
    ///
    /// - Throws: `InputError` when the file cannot be read.
    func roots() throws -> String? {
        guard let upstreamCA else { return nil }
        guard let bytes = FileManager.default.contents(atPath: upstreamCA) else {
            throw InputError("--upstream-ca \(upstreamCA) cannot be read; name a file of PEM certificates")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    mutating func validate() throws {
        _ = try passThrough()
        _ = try proxy()
        _ = try overrides()
        for text in givenCertificates { _ = try UpstreamOptions.certificate(text) }
        if keyLog?.isEmpty == true { throw ValidationError("--key-log has an empty value; name a file") }
    }

    private static func certificate(_ text: String) throws -> (HostPattern, String) {
        guard let equals = text.firstIndex(of: "="), let hosts = HostPattern(String(text[..<equals])),
            equals < text.index(before: text.endIndex)
        else {
            throw ValidationError(
                "--client-certificate \(text): expected HOST=FILE, as in *.example.com=client.pem"
            )
        }
        return (hosts, String(text[text.index(after: equals)...]))
    }
}
