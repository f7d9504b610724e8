/// The alerts by which a client ends its handshake with us, named as TLS registers them with `-` between words (RFC 8446 §6).
extension Cause {
    /// The client ended the connection properly, in the middle of the handshake.
    package static let closeNotify = Cause(rawValue: "close-notify")
    /// A message came where the protocol has no place for it.
    package static let unexpectedMessage = Cause(rawValue: "unexpected-message")
    /// A record could not be authenticated.
    package static let badRecordMAC = Cause(rawValue: "bad-record-mac")
    /// A record was longer than TLS allows.
    package static let recordOverflow = Cause(rawValue: "record-overflow")
    /// The two could agree on no parameters.
    package static let handshakeFailure = Cause(rawValue: "handshake-failure")
    /// The client takes our certificate for corrupt, or for another host's.
    package static let badCertificate = Cause(rawValue: "bad-certificate")
    /// The client takes no certificates of our kind.
    package static let unsupportedCertificate = Cause(rawValue: "unsupported-certificate")
    /// The client takes our certificate for revoked.
    package static let certificateRevoked = Cause(rawValue: "certificate-revoked")
    /// A certificate is past its time: the upstream's, or by a client's alert ours.
    package static let certificateExpired = Cause(rawValue: "certificate-expired")
    /// The client refuses our certificate for another reason.
    package static let certificateUnknown = Cause(rawValue: "certificate-unknown")
    /// A field of the handshake is out of range.
    package static let illegalParameter = Cause(rawValue: "illegal-parameter")
    /// The client does not know the root that signed our certificate.
    package static let unknownCA = Cause(rawValue: "unknown-ca")
    /// The client takes our certificate for good, and does not go on all the same.
    package static let accessDenied = Cause(rawValue: "access-denied")
    /// A message could not be read.
    package static let decodeError = Cause(rawValue: "decode-error")
    /// A cryptographic step of the handshake failed.
    package static let decryptError = Cause(rawValue: "decrypt-error")
    /// The two speak no version of TLS in common.
    package static let protocolVersion = Cause(rawValue: "protocol-version")
    /// The client asks for stronger parameters than were offered.
    package static let insufficientSecurity = Cause(rawValue: "insufficient-security")
    /// The client failed for a reason that is not the protocol's.
    package static let internalError = Cause(rawValue: "internal-error")
    /// The client had fallen back to an older version than both speak (RFC 7507).
    package static let inappropriateFallback = Cause(rawValue: "inappropriate-fallback")
    /// The user broke the handshake off.
    package static let userCanceled = Cause(rawValue: "user-canceled")
    /// An extension that has to be there is missing.
    package static let missingExtension = Cause(rawValue: "missing-extension")
    /// An extension came that was not asked for.
    package static let unsupportedExtension = Cause(rawValue: "unsupported-extension")
    /// A client asks for a name that no certificate can hold; or, by its alert, one that it does not know.
    package static let unrecognizedName = Cause(rawValue: "unrecognized-name")
    /// The client refuses the stapled OCSP response.
    package static let badCertificateStatusResponse = Cause(rawValue: "bad-certificate-status-response")
    /// One end asks for the other's certificate, and none was shown.
    package static let certificateRequired = Cause(rawValue: "certificate-required")
    /// None of the application protocols that the client offers is HTTP.
    package static let noApplicationProtocol = Cause(rawValue: "no-application-protocol")

    /// The cause of a client's alert, by the alert's number.
    package static func alert(_ number: UInt8) -> Cause { alerts[number] ?? Cause(rawValue: "number-\(number)") }

    private static let alerts: [UInt8: Cause] = [
        0: .closeNotify, 10: .unexpectedMessage, 20: .badRecordMAC, 22: .recordOverflow, 40: .handshakeFailure,
        42: .badCertificate, 43: .unsupportedCertificate, 44: .certificateRevoked, 45: .certificateExpired,
        46: .certificateUnknown, 47: .illegalParameter, 48: .unknownCA, 49: .accessDenied, 50: .decodeError,
        51: .decryptError, 70: .protocolVersion, 71: .insufficientSecurity, 80: .internalError,
        86: .inappropriateFallback, 90: .userCanceled, 109: .missingExtension, 110: .unsupportedExtension,
        112: .unrecognizedName, 113: .badCertificateStatusResponse, 116: .certificateRequired,
        120: .noApplicationProtocol,
    ]
}

/// The alerts by which an upstream ends its handshake with us; the word of each is that of a client's alert with a prefix.
extension Cause {
    static let upstreamAlertPrefix = "alert"

    /// The cause of an upstream that ends the handshake with this alert.
    package static func upstream(alert: Cause) -> Cause { Cause(rawValue: "\(upstreamAlertPrefix)-\(alert.rawValue)") }

    /// The upstream asks for a certificate of the client, and was shown none.
    package static let upstreamCertificateRequired = Cause(rawValue: "alert-certificate-required")
    /// The upstream takes the client's certificate for corrupt, or was shown none.
    package static let upstreamBadCertificate = Cause(rawValue: "alert-bad-certificate")
    /// The upstream does not know who signed the client's certificate.
    package static let upstreamUnknownCA = Cause(rawValue: "alert-unknown-ca")
    /// The upstream refuses the client's certificate for another reason.
    package static let upstreamCertificateUnknown = Cause(rawValue: "alert-certificate-unknown")
    /// The upstream speaks none of the protocols that it was offered (RFC 7301 §3.2).
    package static let upstreamNoApplicationProtocol = Cause(rawValue: "alert-no-application-protocol")
    /// The upstream and we speak no version of TLS in common.
    package static let upstreamProtocolVersion = Cause(rawValue: "alert-protocol-version")
    /// The upstream and we could agree on no parameters.
    package static let upstreamHandshakeFailure = Cause(rawValue: "alert-handshake-failure")
    /// The upstream asks for stronger parameters than we offer.
    package static let upstreamInsufficientSecurity = Cause(rawValue: "alert-insufficient-security")
}
