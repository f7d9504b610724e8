import NIOCore
import NIOPosix
import NIOSSL
import Trust

/// The TLS contexts that we answer clients with, one for each name, each with a leaf of our root.
final class InterceptionContexts: Sendable {
    private let leaves: LeafCache<NIOSSLContext>

    /// - Parameters:
    ///   - authority: signs the leaves.
    ///   - keyLog: is given the secrets of every connection; `nil` for none.
    /// - Throws: what TLS says of the leaves' key.
    init(authority: CertificateAuthority, keyLog: KeyLog?) throws {
        let key = try NIOSSLPrivateKey(bytes: authority.leafKeyDER, format: .der)
        leaves = LeafCache(authority: authority) { leaf in
            let chain = try leaf.chainDER.map {
                NIOSSLCertificateSource.certificate(try NIOSSLCertificate(bytes: $0, format: .der))
            }
            var tls = TLSConfiguration.makeServerConfiguration(certificateChain: chain, privateKey: .privateKey(key))
            tls.minimumTLSVersion = .tlsv12
            tls.applicationProtocols = ["http/1.1"]
            if let keyLog { tls.keyLogCallback = { keyLog.add($0) } }
            return try NIOSSLContext(configuration: tls)
        }
    }

    /// The context for a name; minting a new leaf happens off the loop.
    func context(for name: String, on loop: any EventLoop) -> EventLoopFuture<NIOSSLContext> {
        do {
            let name = try ServerName(name)
            if let context = leaves.held(name) { return loop.makeSucceededFuture(context) }
            let leaves = leaves
            return NIOThreadPool.singleton.runIfActive(eventLoop: loop) { try leaves.leaf(for: name) }
        } catch {
            return loop.makeFailedFuture(error)
        }
    }
}
