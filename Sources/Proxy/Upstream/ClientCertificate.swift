/// A certificate of ours for upstreams that ask for one.
package struct ClientCertificate: Sendable {
    /// The upstreams it is for.
    package var hosts: HostPattern
    /// The chain, leaf first, and the leaf's key, PEM.
    package var pem: String
    /// The file that it came from, for messages.
    package var file: String

    package init(hosts: HostPattern, pem: String, file: String) {
        self.hosts = hosts
        self.pem = pem
        self.file = file
    }
}
