import Traffic

/// Why an upstream is not used though it was reached, with what it showed of itself until then.
struct UpstreamRefusal: Error, Sendable {
    var failure: ExchangeFailure
    /// Its address and, of its certificates, those that the verification came to see; `nil` when it was not reached.
    var peer: Peer?

    /// - Parameters:
    ///   - error: what opening a connection failed of.
    ///   - otherwise: the failure that stands for an error which tells nothing itself.
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
