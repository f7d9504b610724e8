import NIOCore
import NIOSSL
import Traffic
import Trust

/// Makes the TLS side of upstream connections, verified against the system's roots and configured further ones, never against our own root.
final class UpstreamTLS: Sendable {
    /// One context that offers HTTP/1.1 alone and one that offers HTTP/2 too.
    private struct Contexts {
        let http1: NIOSSLContext
        let both: NIOSSLContext

        init(_ tls: TLSConfiguration) throws {
            var tls = tls
            tls.applicationProtocols = ["http/1.1"]
            http1 = try NIOSSLContext(configuration: tls)
            tls.applicationProtocols = ["h2", "http/1.1"]
            both = try NIOSSLContext(configuration: tls)
        }
    }

    private let anonymous: Contexts
    /// The contexts that show a certificate of ours, with the hosts that each is for.
    private let identified: [(hosts: HostPattern, contexts: Contexts)]
    private let isVerified: Bool
    private let ownRootDER: [UInt8]

    /// - Throws: `ProxyStartError` when the further roots or a client certificate cannot be used.
    init(configuration: ProxyConfiguration, ownRootDER: [UInt8], keyLog: KeyLog?) throws {
        isVerified = configuration.isUpstreamVerified
        self.ownRootDER = ownRootDER
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        // How long a close waits for the other side's close_notify, which some servers never send.
        tls.shutdownTimeout = .seconds(1)
        // The library would compare a certificate with the address of the socket, which may be an upstream proxy's or a name override's;
        // `trustProblem` compares it with the name.
        tls.certificateVerification = .noHostnameVerification
        if let pem = configuration.upstreamRootsPEM {
            guard let roots = try? NIOSSLCertificate.fromPEMBytes(Array(pem.utf8)), !roots.isEmpty else {
                throw ProxyStartError.upstreamRoots
            }
            tls.additionalTrustRoots = [.certificates(roots)]
        }
        if let keyLog { tls.keyLogCallback = { keyLog.add($0) } }
        anonymous = try Contexts(tls)
        identified = try configuration.clientCertificates.map { ($0.hosts, try UpstreamTLS.contexts(tls, showing: $0)) }
    }

    /// Contexts that show a certificate when they are asked for one.
    private static func contexts(_ tls: TLSConfiguration, showing certificate: ClientCertificate) throws -> Contexts {
        let pem = Array(certificate.pem.utf8)
        func unusable(_ why: String) -> ProxyStartError {
            .clientCertificate(file: certificate.file, problem: why)
        }
        guard let chain = try? NIOSSLCertificate.fromPEMBytes(pem), !chain.isEmpty else {
            throw unusable("holds no certificate")
        }
        guard let key = try? NIOSSLPrivateKey(bytes: pem, format: .pem) else { throw unusable("holds no private key") }
        var tls = tls
        tls.certificateChain = chain.map { .certificate($0) }
        tls.privateKey = .privateKey(key)
        guard let contexts = try? Contexts(tls) else { throw unusable("holds a key that is not the certificate's") }
        return contexts
    }

    /// The handler that makes the handshake, and the chain of certificates that it fills in.
    ///
    /// - Parameters:
    ///   - serverName: the name to ask for and to verify; an address is verified without being asked for (RFC 6066 §3).
    ///   - offer: the application protocols to offer.
    /// - Returns: the handler, and the chain it fills in.
    /// - Throws: the TLS library's error where it refuses the name.
    func handler(serverName: String, offer: UpstreamKey.Offer) throws -> (
        handler: NIOSSLClientHandler, chain: PresentedChain
    ) {
        let isAddress = (try? SocketAddress(ipAddress: serverName, port: 1)) != nil
        let name = isAddress ? nil : serverName
        let chain = PresentedChain()
        let contexts = identified.first { $0.hosts.matches(serverName) }?.contexts ?? anonymous
        let context = offer == .http1 ? contexts.http1 : contexts.both
        guard isVerified else {
            let handler = try NIOSSLClientHandler(context: context, serverHostname: name) { certificates, promise in
                chain.certificates = certificates.compactMap { try? $0.toDERBytes() }
                promise.succeed(.certificateVerified)
            }
            return (handler, chain)
        }
        let ownRootDER = ownRootDER
        // Deprecated in favour of a callback that replaces the verification; a record needs one that only watches it.
        let handler = try NIOSSLClientHandler(
            context: context,
            serverHostname: name,
            verificationCallback: { result, certificate in
                guard let der = try? certificate.toDERBytes() else { return result }
                if !chain.certificates.contains(der) { chain.certificates.insert(der, at: 0) }
                if der == ownRootDER {
                    chain.isOwn = true
                    return .failed
                }
                if result == .failed, chain.refused == nil { chain.refused = der }
                return result
            }
        )
        return (handler, chain)
    }

    /// Why a verified certificate is still not trusted, or not the name's; `nil` where it is both.
    ///
    /// The TLS library accepts SHA-1 and short RSA keys, and checks no name here. Nor does it ask for OCSP staples, so a staple that a certificate
    /// demands (RFC 7633) can never be checked.
    func trustProblem(_ serverName: String, chain: PresentedChain) -> ExchangeFailure? {
        if isVerified, let weakness = CertificateStrength.problem(chain: chain.certificates) {
            return ExchangeFailure(
                side: .upstream,
                phase: .tls,
                cause: .certificateWeak,
                message: "The upstream's certificate for \(serverName) was refused: \(weakness).",
                retry: true
            )
        }
        if isVerified, let leaf = chain.certificates.first, StapleDemand.isMade(by: leaf) {
            return ExchangeFailure(
                side: .upstream,
                phase: .tls,
                cause: .certificateMustStaple,
                message:
                    "The upstream's certificate for \(serverName) was refused: it is good only with a stapled OCSP response (RFC 7633), which this proxy cannot check.",
                retry: true
            )
        }
        guard isVerified else { return nil }
        // A certificate that is missing, or for a name that cannot be read, is not the name's.
        if let leaf = chain.certificates.first, let name = try? ServerName(serverName),
            CertificateNames.cover(leaf, name: name)
        {
            return nil
        }
        return ExchangeFailure(
            side: .upstream,
            phase: .tls,
            cause: .certificateName,
            message: "The upstream's certificate is not for \(serverName).",
            retry: true
        )
    }
}
