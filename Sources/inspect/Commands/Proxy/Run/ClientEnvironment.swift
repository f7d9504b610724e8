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
        variables = ClientRecipe.variables.map { variable in
            let present = environment[variable.name]
            let value =
                switch variable.content {
                case .proxy: place.url
                case .text(let text): text
                case .bundle: trust.bundlePath
                case .root: trust.rootPath
                case .nodePreload: ClientEnvironment.joined(present, ClientEnvironment.preload(trust))
                case .javaOptions: ClientEnvironment.joined(present, ClientEnvironment.javaOptions(place, trust))
                case .wgetFile: trust.wgetPath
                }
            return Variable(name: variable.name, value: value)
        }
    }

    /// Variables of a process with these in the place of those of their names.
    func applied(to environment: [String: String]) -> [String: String] {
        variables.reduce(into: environment) { $0[$1.name] = $1.value }
    }

    /// The variables as lines that a POSIX shell reads.
    var shellLines: String {
        variables.map { "export \($0.name)=\(ShellWord(posix: $0.value))\n" }.joined()
    }

    /// A path may hold blanks, which NODE_OPTIONS takes in quotes, with the backslash to escape.
    private static func preload(_ trust: ClientTrust) -> String {
        let quoted = trust.nodePath.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return "--require \"\(quoted)\""
    }

    private static func javaOptions(_ place: ProxyPlace, _ trust: ClientTrust) -> String {
        [
            "-Dhttp.proxyHost=\(place.host)", "-Dhttp.proxyPort=\(place.port)", "-Dhttps.proxyHost=\(place.host)",
            "-Dhttps.proxyPort=\(place.port)",
            // Without it, a JDK goes past the proxy to every name of this machine.
            "-Dhttp.nonProxyHosts=", "'-Djavax.net.ssl.trustStore=\(trust.javaPath)'",
            "-Djavax.net.ssl.trustStoreType=JKS", "-Djavax.net.ssl.trustStorePassword=\(JavaTrustStore.password)",
        ].joined(separator: " ")
    }

    /// Options after those that are there; those that an `inspect env` of before put there are not doubled.
    private static func joined(_ present: String?, _ added: String) -> String {
        guard let present, !present.isEmpty else { return added }
        return present.contains(added) ? present : present + " " + added
    }
}
