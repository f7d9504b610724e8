import Traffic

/// The failures of an exchange's two sides.
extension ExchangeFailure {
    /// A failure of the client's side; the message is a whole sentence.
    static func ofClient(_ phase: Phase, _ cause: Cause, _ message: String) -> ExchangeFailure {
        ExchangeFailure(side: .client, phase: phase, cause: cause, message: message)
    }

    /// A failure of the upstream's side; sending again is safe where no connection could be made.
    ///
    /// - Parameters:
    ///   - upstream: where it is; `nil` where that is not known.
    ///   - phase: what was under way.
    ///   - cause: what happened.
    ///   - message: the rest of the sentence behind the upstream's address; its full stop may be missing.
    /// - Returns: the failure.
    static func ofUpstream(_ upstream: Endpoint?, _ phase: Phase, _ cause: Cause, _ message: String) -> ExchangeFailure
    {
        ExchangeFailure(
            side: .upstream,
            phase: phase,
            cause: cause,
            message: "\(upstream?.description ?? "The upstream") \(message)\(message.hasSuffix(".") ? "" : ".")",
            retry: phase == .connect
        )
    }
}
