import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import NIOSSL
import Trust

/// The TLS contexts that we answer clients with, for each name one with HTTP/2 and one without, each with a leaf of our root.
final class InterceptionContexts: Sendable {
    /// A leaf ready for use; what is made of it is made when it is first asked for.
    private final class Material: Sendable {
        private let chain: [NIOSSLCertificate]
        private let key: NIOSSLPrivateKey
        private let keyLog: KeyLog?
        private let contexts = NIOLockedValueBox<[Bool: NIOSSLContext]>([:])

        init(chain: [NIOSSLCertificate], key: NIOSSLPrivateKey, keyLog: KeyLog?) {
            self.chain = chain
            self.key = key
            self.keyLog = keyLog
        }

        func context(withHTTP2: Bool) throws -> NIOSSLContext {
            try contexts.withLockedValue { contexts in
                if let context = contexts[withHTTP2] { return context }
                var tls = TLSConfiguration.makeServerConfiguration(
                    certificateChain: chain.map { .certificate($0) },
                    privateKey: .privateKey(key)
                )
                tls.minimumTLSVersion = .tlsv12
                // How long a close waits for the other side's close_notify, which some never send.
                tls.shutdownTimeout = .seconds(1)
                tls.applicationProtocols = withHTTP2 ? ["h2", "http/1.1"] : ["http/1.1"]
                if let keyLog { tls.keyLogCallback = { keyLog.add($0) } }
                let context = try NIOSSLContext(configuration: tls)
                contexts[withHTTP2] = context
                return context
            }
        }
    }

    /// Names as clients spell them that are not read again, and how long they may be.
    private static let (spellingLimitCount, spellingLimitBytes) = (4_096, 255)

    private let leaves: LeafCache<Material>
    private let spellings = NIOLockedValueBox<[String: ServerName]>([:])

    /// - Parameters:
    ///   - authority: signs the leaves.
    ///   - keyLog: is given the secrets of every connection; `nil` for none.
    /// - Throws: what TLS says of the leaves' key.
    init(authority: CertificateAuthority, keyLog: KeyLog?) throws {
        let key = try NIOSSLPrivateKey(bytes: authority.leafKeyDER, format: .der)
        leaves = LeafCache(authority: authority) { leaf in
            let chain = try leaf.chainDER.map { try NIOSSLCertificate(bytes: $0, format: .der) }
            return Material(chain: chain, key: key, keyLog: keyLog)
        }
    }

    /// The context for a name; minting a new leaf happens off the loop.
    ///
    /// - Parameters:
    ///   - name: what the client asked for.
    ///   - withHTTP2: whether it is offered HTTP/2 besides HTTP/1.1.
    ///   - loop: where the future ends.
    /// - Returns: the context.
    func context(for name: String, withHTTP2: Bool, on loop: any EventLoop) -> EventLoopFuture<NIOSSLContext> {
        do {
            let name = try read(name)
            if let material = leaves.held(name) {
                return loop.makeSucceededFuture(try material.context(withHTTP2: withHTTP2))
            }
            let leaves = leaves
            return NIOThreadPool.singleton.runIfActive(eventLoop: loop) {
                try leaves.leaf(for: name).context(withHTTP2: withHTTP2)
            }
        } catch {
            return loop.makeFailedFuture(error)
        }
    }

    /// Why no certificate can hold a name; `nil` when one can.
    func problem(with name: String) -> TrustError? {
        do throws(TrustError) {
            _ = try read(name)
            return nil
        } catch {
            return error
        }
    }

    private func read(_ spelling: String) throws(TrustError) -> ServerName {
        if let name = spellings.withLockedValue({ $0[spelling] }) { return name }
        let name = try ServerName(spelling)
        guard spelling.utf8.count <= InterceptionContexts.spellingLimitBytes else { return name }
        spellings.withLockedValue { names in
            if names.count >= InterceptionContexts.spellingLimitCount { names.removeAll(keepingCapacity: true) }
            names[spelling] = name
        }
        return name
    }
}
