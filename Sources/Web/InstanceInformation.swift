/// What a visitor is told of the running proxy: where to send traffic and which root to trust.
package struct InstanceInformation: Sendable {
    /// The release of `inspect`.
    package var version: String
    /// Where the proxy listens, `127.0.0.1:9090`.
    package var proxy: String
    /// The file that holds our root certificate, for `curl --cacert`.
    package var caFile: String
    /// The root's SHA-256 fingerprint as people compare it.
    package var caFingerprint: String

    package init(version: String, proxy: String, caFile: String, caFingerprint: String) {
        self.version = version
        self.proxy = proxy
        self.caFile = caFile
        self.caFingerprint = caFingerprint
    }
}
