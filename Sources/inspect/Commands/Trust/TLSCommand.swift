import ArgumentParser
import Foundation
import Traffic

/// `inspect tls`: checks both handshakes that reading a host's HTTPS takes.
struct TLSCommand: AsyncParsableCommand, ConfiguredCommand {
    static let configuration = CommandConfiguration(
        commandName: "tls",
        abstract: "Check both TLS handshakes with a host.",
        discussion: """
            The handshakes are the upstream's with inspect and that of inspect with a client. The command shows version, cipher suite, protocol, \
            certificates with their dates, each check, and what to do where a check fails. It sends no request and records nothing. Exit status 1 \
            means that something is wrong.

            Examples:
              inspect tls example.com
              inspect tls localhost:8443 --upstream-ca root.pem
            """
    )

    @Argument(help: ArgumentHelp("The host, and its port unless that is 443.", valueName: "host[:port]"))
    var host: String

    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Configuration") var configuration: ConfigurationOptions
    @OptionGroup(title: "Upstreams") var upstreams: UpstreamOptions
    @OptionGroup var authority: CAOptions

    mutating func validate() throws { _ = try endpoint() }

    func run() async throws {
        let report = try await TLSInspection(upstreams: upstreams, authority: authority).report(on: try endpoint())
        try Console(outlivesReader: true).write(report, output)
        if !report.isGood { throw ExitCode(1) }
    }

    private func endpoint() throws -> Endpoint {
        var text = host[...]
        if let scheme = text.range(of: "https://") { text = text[scheme.upperBound...] }
        text = text.prefix { $0 != "/" }
        guard let endpoint = Endpoint(authority: text, defaultPort: 443) else {
            throw ValidationError("\(host): expected a host, or host:port, for example example.com or localhost:8443")
        }
        return endpoint
    }
}
