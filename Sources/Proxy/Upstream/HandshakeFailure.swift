import Foundation
import NIOCore
import NIOSSL
import Traffic
import Trust

/// Tells from the TLS library's errors why a handshake failed.
enum HandshakeFailure {
    /// The failure of a handshake with an upstream.
    ///
    /// - Parameters:
    ///   - error: the TLS library's error, or why the handshake was given up.
    ///   - serverName: the name that the upstream was asked for.
    ///   - chain: the certificates that the upstream showed.
    ///   - now: the date to compare with those of its certificates.
    /// - Returns: the failure.
    static func upstream(
        _ error: any Error,
        serverName: String,
        chain: PresentedChain,
        now: Date
    ) -> ExchangeFailure {
        func failure(_ cause: Cause, _ message: String) -> ExchangeFailure {
            ExchangeFailure(side: .upstream, phase: .tls, cause: cause, message: message, retry: true)
        }
        if let failure = error as? ExchangeFailure { return failure }
        if chain.isOwn {
            return failure(
                .ownRoot,
                "The upstream's certificate for \(serverName) is signed by this proxy's own root, which is never trusted upstream."
            )
        }
        if let extra = error as? NIOSSLExtraError, extra == .failedToValidateHostname {
            return failure(.certificateName, "The upstream's certificate is not for \(serverName).")
        }
        if error as? NIOSSLError == .unableToValidateCertificate {
            return failure(.certificateName, "The upstream's certificate is not for \(serverName).")
        }
        if error is HandshakeTimeout {
            return failure(.timeout, "The TLS handshake with the upstream did not end in time.")
        }
        let text = describe(error)
        if text.contains("CERTIFICATE_VERIFY_FAILED") {
            let (cause, why) = CertificateProblem.explain(
                refused: chain.refused,
                chain: chain.certificates,
                now: now
            )
            return failure(cause, "The upstream's certificate for \(serverName) was refused: \(why).")
        }
        if let alert = alert(in: text) {
            return failure(.upstream(alert: alert), "The upstream ended the TLS handshake with the alert \(alert).")
        }
        if error is ChannelError || isClosed(error) {
            return failure(.closed, "The upstream closed the connection during the TLS handshake.")
        }
        return failure(.handshake, "The TLS handshake with the upstream failed: \(shortened(text)).")
    }

    /// The library's names for having no cipher suite in common, or no group.
    private static let noCipher = ["NO_SHARED_CIPHER", "WRONG_CURVE", "NO_SHARED_GROUP"]

    /// The failure of a client's handshake with us.
    ///
    /// - Parameters:
    ///   - error: the TLS library's error; `nil` where the client left.
    ///   - clear: the alert that the client sent in the clear, if any.
    ///   - host: the name that our certificate was for.
    ///   - who: how a sentence begins with the client.
    /// - Returns: the failure, its message without what follows from it.
    static func client(
        _ error: (any Error)?,
        clear: Cause?,
        host: String,
        who: String = "The client"
    ) -> ExchangeFailure {
        let text = error.map(describe) ?? ""
        let alert = alert(in: text) ?? clear
        switch alert {
        case .some(let alert) where alert.isRefusalOfCertificate:
            return ExchangeFailure(
                side: .client,
                phase: .tls,
                cause: alert,
                message: "\(who) refused our certificate for \(host) (TLS alert \(alert)).",
                retry: true
            )
        case .some(let alert):
            return ExchangeFailure(
                side: .client,
                phase: .tls,
                cause: alert,
                message: "\(who) ended the TLS handshake for \(host) with the alert \(alert).",
                retry: true
            )
        case nil where error == nil || isClosed(error):
            return ExchangeFailure(
                side: .client,
                phase: .tls,
                cause: .closed,
                message: "\(who) closed the connection during the TLS handshake for \(host) without saying why.",
                retry: true
            )
        case nil where error is HandshakeTimeout:
            return ExchangeFailure(
                side: .client,
                phase: .tls,
                cause: .timeout,
                message: "\(who) did not end the TLS handshake for \(host) in time.",
                retry: true
            )
        case nil:
            return ExchangeFailure(
                side: .client,
                phase: .tls,
                cause: text.contains("UNSUPPORTED_PROTOCOL")
                    ? .protocolVersion : noCipher.contains(where: text.contains) ? .noSharedCipher : .handshake,
                message: "\(who) and we could not shake hands for \(host): \(shortened(text)).",
                retry: true
            )
        }
    }

    /// Why the client, we and the upstream have no protocol in common.
    enum NoProtocol: Sendable {
        /// The client offers no protocol of HTTP.
        case notHTTP
        /// The client speaks only HTTP/2, and its upstream agreed on this protocol, or on none.
        case noHTTP2(upstream: String?)
    }

    /// The failure of a client none of whose application protocols can be served.
    ///
    /// - Parameters:
    ///   - offered: the protocols that it offers; any names.
    ///   - why: why they cannot be served.
    ///   - host: the name that it asks for.
    ///   - who: how a sentence begins with the client.
    /// - Returns: the failure, its message without what follows from it.
    static func protocols(
        _ offered: [String],
        _ why: NoProtocol,
        host: String,
        who: String
    ) -> ExchangeFailure {
        let names = offered.prefix(namedCount).joined(separator: ", ") + (offered.count > namedCount ? ", …" : "")
        let (cause, fact): (Cause, String) =
            switch why {
            case .notHTTP: (.noApplicationProtocol, "which is neither HTTP/2 nor HTTP/1.1")
            case .noHTTP2(let agreed):
                (.noCommonProtocol, "and its upstream agreed on \(agreed.map { "\($0) alone" } ?? "no protocol")")
            }
        return ExchangeFailure(
            side: .client,
            phase: .tls,
            cause: cause,
            message: "\(who) offers \(names) by ALPN for \(host), \(fact).",
            retry: true
        )
    }

    /// The failure of a client that asks for a name that no certificate can hold.
    ///
    /// - Parameters:
    ///   - problem: the name, and what is wrong with it.
    ///   - who: how a sentence begins with the client.
    /// - Returns: the failure.
    static func name(_ problem: TrustError, who: String) -> ExchangeFailure {
        ExchangeFailure(
            side: .client,
            phase: .tls,
            cause: .unrecognizedName,
            message: "\(who) could not be shown a certificate: \(problem)",
            retry: true
        )
    }

    /// The most protocols of a client that a sentence lists.
    private static let namedCount = 5

    /// Whether the other end closed the connection without an alert.
    static func isClosed(_ error: (any Error)?) -> Bool {
        switch error {
        case let error as ChannelError:
            return error == .inputClosed || error == .eof || error == .alreadyClosed || error == .ioOnClosedChannel
        case let error as NIOSSLError:
            if error == .uncleanShutdown { return true }
            if case .handshakeFailed(let inner) = error { return "\(inner)".contains("EOF during handshake") }
            return false
        case is IOError: return true
        default: return false
        }
    }

    private static func describe(_ error: any Error) -> String {
        if case .some(.handshakeFailed(let inner)) = error as? NIOSSLError { return "\(inner)" }
        return "\(error)"
    }

    /// The alert named in a BoringSSL error, `TLSV1_ALERT_UNKNOWN_CA` as `unknown-ca`.
    private static func alert(in text: String) -> Cause? {
        guard let range = text.range(of: "_ALERT_") else { return nil }
        let name = text[range.upperBound...].prefix { $0.isUppercase || $0 == "_" || $0.isNumber }
        return name.isEmpty ? nil : Cause(rawValue: ASCII.lower(name).replacing("_", with: "-"))
    }

    /// BoringSSL's own words for what happened, without addresses and file names.
    private static func shortened(_ text: String) -> String {
        guard let range = text.range(of: "OPENSSL_internal:") else { return String(text.prefix(120)) }
        return ASCII.lower(text[range.upperBound...].prefix { $0 != " " && $0 != "\n" }).replacing("_", with: " ")
    }
}

extension ExchangeFailure {
    /// The same with what to do about it at the end of its message, where it is an upstream's handshake that failed.
    func withRemedy(_ host: String, _ port: Int, words: TLSRemedy.Words?) -> ExchangeFailure {
        let nobody = TLSRemedy.Client(runtime: nil, process: nil, address: "")
        guard side == .upstream, let remedy = TLSRemedy(self, host: host, port: port, client: nobody) else {
            return self
        }
        var failure = self
        failure.message += " \(remedy.text(words))"
        return failure
    }
}
