/// One connection of the proxy, to a client or to an upstream, as the record describes it.
///
/// A class because many exchanges share one connection: the store writes it once and refers to it by `token`.
package final class Peer: Sendable {
    /// What a completed TLS handshake settled.
    package struct TLS: Hashable, Sendable, Codable {
        /// The protocol version as OpenSSL's tools name it: TLSv1.2 or TLSv1.3.
        package var version: String
        /// The cipher suite by its registered name, `TLS_AES_128_GCM_SHA256`; `nil` when it was not seen.
        package var cipher: String?
        /// The server name the client of this handshake sent; `nil` when it sent none.
        package var serverName: String?
        /// The application protocol agreed by ALPN; `nil` when none was.
        package var applicationProtocol: String?
        /// The certificates the server of this handshake presented, DER, leaf first; empty on the client's side (they are ours).
        package var certificates: [[UInt8]]

        package init(version: String, serverName: String?, applicationProtocol: String?, certificates: [[UInt8]] = []) {
            self.version = version
            self.serverName = serverName
            self.applicationProtocol = applicationProtocol
            self.certificates = certificates
        }
    }

    /// Unique among the connections of one run.
    package let token: UInt64
    /// The other end, `192.0.2.1:443` or `[2001:db8::1]:443`; empty when unknown.
    package let address: String
    /// What TLS settled; `nil` on a connection without TLS.
    package let tls: TLS?
    /// The program at the other end; `nil` for an upstream, for a client elsewhere, and while or where it is not known.
    package let process: LocalProcess?
    /// The fingerprint of the ClientHello that it sent (JA4); `nil` for an upstream, and without TLS.
    package let hello: String?
    /// The kind of program that its ClientHello points to; `nil` where it points to none.
    package let runtime: ClientRuntime?

    package init(
        token: UInt64,
        address: String,
        tls: TLS?,
        process: LocalProcess? = nil,
        hello: String? = nil,
        runtime: ClientRuntime? = nil
    ) {
        self.token = token
        self.address = address
        self.tls = tls
        self.process = process
        self.hello = hello
        self.runtime = runtime
    }

    /// The same connection, once its program is known.
    package func of(_ process: LocalProcess) -> Peer {
        Peer(token: token, address: address, tls: tls, process: process, hello: hello, runtime: runtime)
    }
}
