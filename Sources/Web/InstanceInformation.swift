import Traffic

/// The facts that a visitor is told of the running proxy: where to send traffic and which root to trust.
package struct InstanceInformation: Sendable {
    /// A way into the proxy.
    package struct Way: Sendable {
        /// `explicit`, `socks5`, `reverse:https://…` or `transparent`.
        package var mode: String
        /// The address that the way in is bound to, IPv6 without brackets.
        package var host: String
        package var port: Int

        package init(mode: String, host: String, port: Int) { (self.mode, self.host, self.port) = (mode, host, port) }
    }

    /// An environment variable that a client reads.
    package struct Variable: Sendable, Equatable {
        /// The value of the variable.
        package enum Content: Sendable, Equatable {
            /// The proxy's address, the path of the bundle, or that of our root.
            case proxy, bundle, root
            /// The same text for everybody.
            case text(String)
        }

        package let name: String
        package let content: Content

        package init(_ name: String, _ content: Content) { (self.name, self.content) = (name, content) }
    }

    /// A kind of client, with the variables that tell the client of the proxy and of the root.
    package struct Client: Sendable, Equatable {
        /// A short name: `curl`.
        package let name: String
        package let variables: [Variable]

        package init(name: String, variables: [Variable]) { (self.name, self.variables) = (name, variables) }
    }

    /// The release of `inspect`.
    package var version: String
    /// Where the proxy listens, `127.0.0.1:9090`.
    package var proxy: String
    /// The file that holds our root certificate, for `curl --cacert`.
    package var caFile: String
    /// The file of this machine's roots and ours, for clients that trust only the roots of one file.
    package var caBundleFile = ""
    /// The name of the root certificate's file among a system's roots, which no other root has; empty where no root is given out.
    package var caSystemFile = ""
    /// The root's SHA-256 fingerprint, in the form that people compare.
    package var caFingerprint: String
    /// The root certificate itself, PEM; empty where no root is given out.
    package var caPEM = ""
    /// Every way in, in the order they were asked for.
    package var ways: [Way] = []
    /// The kinds of clients with their variables; the kind that most programs follow comes first.
    package var clients: [Client] = []
    /// This machine's addresses beside loopback, IPv4 first, for clients on other machines.
    package var addresses: [String] = []
    /// The capture file, where commands would not find the file by themselves.
    package var storePath: String?
    /// Whether clients must log in.
    package var asksLogin = false

    package init(version: String, proxy: String, caFile: String, caFingerprint: String) {
        self.version = version
        self.proxy = proxy
        self.caFile = caFile
        self.caFingerprint = caFingerprint
    }

    /// Writes the ways into the proxy, as members of an answer.
    func writeWays(to json: inout JSONWriter) {
        json.array("ways") { json in
            for way in ways {
                json.object { json in
                    json.string("mode", way.mode)
                    json.string("host", way.host)
                    json.integer("port", way.port)
                }
            }
        }
        json.array("addresses") { json in for address in addresses { json.string(nil, address) } }
        json.boolean("asksLogin", asksLogin)
    }

    /// Writes the kinds of clients with their variables, as a member of an answer.
    func writeClients(to json: inout JSONWriter) {
        json.array("clients") { json in
            for client in clients {
                json.object { json in
                    json.string("name", client.name)
                    json.array("variables") { json in
                        for variable in client.variables { json.object { variable.write(to: &$0) } }
                    }
                }
            }
        }
    }
}

extension InstanceInformation.Variable {
    /// Writes the members.
    fileprivate func write(to json: inout JSONWriter) {
        json.string("name", name)
        switch content {
        case .proxy: json.string("holds", "proxy")
        case .bundle: json.string("holds", "bundle")
        case .root: json.string("holds", "root")
        case .text(let text):
            json.string("holds", "text")
            json.string("text", text)
        }
    }
}
