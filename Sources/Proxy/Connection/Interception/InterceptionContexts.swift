import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import NIOSSL
import Trust

/// The TLS contexts for clients: for each name one with HTTP/2 and one without, both with a leaf of our root.
final class InterceptionContexts: Sendable {
    /// A leaf that is ready for use; its contexts are made when they are first needed.
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
                // How long a close waits for the other side's close_notify, which some programs never send.
                tls.shutdownTimeout = .seconds(1)
                tls.applicationProtocols = withHTTP2 ? ["h2", "http/1.1"] : ["http/1.1"]
                if let keyLog { tls.keyLogCallback = { keyLog.add($0) } }
                let context = try NIOSSLContext(configuration: tls)
                contexts[withHTTP2] = context
                return context
            }
        }
    }

    /// The most names that are remembered as clients spell them, and the bytes of the longest.
    private static let (spellingLimitCount, spellingLimitBytes) = (4_096, 255)

    private let leaves: LeafCache<Material>
    private let spellings = NIOLockedValueBox<[String: ServerName]>([:])

    /// - Parameters:
    ///   - authority: signs the leaves.
    ///   - keyLog: takes the secrets of every connection; `nil` for no log.
    /// - Throws: the TLS library's error where it cannot use the leaves' key.
    init(authority: CertificateAuthority, keyLog: KeyLog?) throws {
        let key = try NIOSSLPrivateKey(bytes: authority.leafKeyDER, format: .der)
        leaves = LeafCache(authority: authority) { leaf in
            let chain = try leaf.chainDER.map { try NIOSSLCertificate(bytes: $0, format: .der) }
            return Material(chain: chain, key: key, keyLog: keyLog)
        }
    }

    /// The context for a name; a new leaf is minted off the loop.
    ///
    /// - Parameters:
    ///   - name: the name that the client asked for.
    ///   - withHTTP2: whether the client is offered HTTP/2 beside HTTP/1.1.
    ///   - loop: the loop of the future.
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

    /// Why no certificate can hold a name; `nil` where one can.
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
