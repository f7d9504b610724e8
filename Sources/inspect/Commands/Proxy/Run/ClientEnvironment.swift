import Foundation
import Traffic
import Trust

/// The variables that send a command's traffic through the proxy and make it trust the root.
///
/// Only the process that is given them, and what it starts, is captured; nothing of the machine changes.
struct ClientEnvironment: Sendable {
    /// One variable; the value is empty where it must be so.
    struct Variable: Sendable, Equatable {
        let name: String
        let value: String
    }

    let variables: [Variable]

    /// - Parameters:
    ///   - place: where the proxy is reached.
    ///   - trust: the files of trust.
    ///   - environment: the variables that the command has anyway: options of Node and Java that they hold are kept.
    init(place: ProxyPlace, trust: ClientTrust, environment: [String: String]) {
        // A path may hold blanks, which NODE_OPTIONS takes in quotes, with the backslash to escape.
        let quoted = trust.nodePath.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        let preload = "--require \"\(quoted)\""
        let java = [
            "-Dhttp.proxyHost=\(place.host)", "-Dhttp.proxyPort=\(place.port)", "-Dhttps.proxyHost=\(place.host)",
            "-Dhttps.proxyPort=\(place.port)",
            // Without it, a JDK goes past the proxy to every name of this machine.
            "-Dhttp.nonProxyHosts=", "'-Djavax.net.ssl.trustStore=\(trust.javaPath)'",
            "-Djavax.net.ssl.trustStoreType=JKS", "-Djavax.net.ssl.trustStorePassword=\(JavaTrustStore.password)",
        ].joined(separator: " ")

        var variables: [Variable] = []
        func set(_ value: String, _ names: String...) {
            variables += names.map { Variable(name: $0, value: value) }
        }
        set(place.url, "HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy")
        set("", "NO_PROXY", "no_proxy")
        set(
            trust.bundlePath,
            "SSL_CERT_FILE",
            "CURL_CA_BUNDLE",
            "REQUESTS_CA_BUNDLE",
            "PIP_CERT",
            "GIT_SSL_CAINFO",
            "AWS_CA_BUNDLE",
            "CARGO_HTTP_CAINFO",
            "DENO_CERT"
        )
        set(trust.rootPath, "NODE_EXTRA_CA_CERTS")
        set("1", "NODE_USE_ENV_PROXY")
        set(ClientEnvironment.joined(environment["NODE_OPTIONS"], preload), "NODE_OPTIONS")
        set(ClientEnvironment.joined(environment["JAVA_TOOL_OPTIONS"], java), "JAVA_TOOL_OPTIONS")
        set(trust.wgetPath, "WGETRC")
        self.variables = variables
    }

    /// Variables of a process with these in the place of those of their names.
    func applied(to environment: [String: String]) -> [String: String] {
        variables.reduce(into: environment) { $0[$1.name] = $1.value }
    }

    /// The variables as lines that a POSIX shell reads.
    var shellLines: String {
        variables.map { "export \($0.name)=\(ShellWord(posix: $0.value))\n" }.joined()
    }

    /// Options after those that are there; those that an `inspect env` of before put there are not doubled.
    private static func joined(_ present: String?, _ added: String) -> String {
        guard let present, !present.isEmpty else { return added }
        return present.contains(added) ? present : present + " " + added
    }
}
