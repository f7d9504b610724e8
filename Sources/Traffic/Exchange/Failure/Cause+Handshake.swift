/// Why a TLS handshake fails, beside the alerts.
extension Cause {
    /// The handshake failed for a reason that has no word of its own.
    package static let handshake = Cause(rawValue: "handshake")
    /// A client and we have no cipher suite, or no group, in common.
    package static let noSharedCipher = Cause(rawValue: "no-shared-cipher")
    /// A client speaks HTTP/2 alone, and its upstream does not.
    package static let noCommonProtocol = Cause(rawValue: "no-common-protocol")
    /// A program took our certificates for other hosts and refuses this host's.
    package static let pinned = Cause(rawValue: "pinned")
    /// A client went through with the handshake and left without a request.
    package static let left = Cause(rawValue: "left")
    /// The upstream's certificate is signed by our own root, which is never trusted upstream.
    package static let ownRoot = Cause(rawValue: "own-root")
}

/// What is wrong with an upstream's certificate; `certificateExpired`, which is an alert too, stands with those.
extension Cause {
    /// The certificate is for other names.
    package static let certificateName = Cause(rawValue: "certificate-name")
    /// A certificate of the chain is not valid yet.
    package static let certificateNotYetValid = Cause(rawValue: "certificate-not-yet-valid")
    /// The certificate cannot be read.
    package static let certificateInvalid = Cause(rawValue: "certificate-invalid")
    /// The certificate is its own issuer, and nobody here trusts it.
    package static let certificateSelfSigned = Cause(rawValue: "certificate-self-signed")
    /// No authority that this machine trusts has signed the certificate, or it is not fit for a server.
    package static let certificateUnknownIssuer = Cause(rawValue: "certificate-unknown-issuer")
    /// A key or a signature of the chain is weaker than browsers take.
    package static let certificateWeak = Cause(rawValue: "certificate-weak")
    /// The certificate is good only with a stapled OCSP response (RFC 7633), which is not checked here.
    package static let certificateMustStaple = Cause(rawValue: "certificate-must-staple")
}
