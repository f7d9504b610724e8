import Traffic

/// Why an upstream is not used, with what it showed of itself.
struct UpstreamRefusal: Error, Sendable {
    var failure: ExchangeFailure
    /// The upstream's address and the certificates that the verification has seen; `nil` where it was not reached.
    var peer: Peer?

    /// - Parameters:
    ///   - error: why opening a connection failed.
    ///   - otherwise: the failure for an error that does not tell one.
    init(_ error: any Error, otherwise: @autoclosure () -> ExchangeFailure) {
        if let refusal = error as? UpstreamRefusal {
            self = refusal
        } else {
            failure = error as? ExchangeFailure ?? otherwise()
        }
    }

    /// Whether the upstream was reached and showed a certificate that is not trusted.
    var isOfCertificate: Bool {
        failure.phase == .tls && failure.cause.isOfCertificate
    }

    init(_ failure: ExchangeFailure, peer: Peer?) {
        self.failure = failure
        self.peer = peer
    }
}
