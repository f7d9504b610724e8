/// The kind of connection that an exchange asks for.
enum ConnectAttempt {
    /// Any connection that fits: a kept one, a shared one, or a new one.
    case first
    /// A connection that was made after the exchange began, for a request that is sent again: the one before was closed, or did nothing with it.
    ///
    /// Others may have used it since where it is of HTTP/2.
    case afresh
    /// A connection that was made after the exchange began: where the client may go has changed, and the one that was just made is not for it.
    ///
    /// Others may have used it since where it is of HTTP/2.
    case anew
    /// A connection that is offered HTTP/2 too, since the upstream refuses to speak HTTP/1.1; the request is translated.
    ///
    /// Any such connection fits a first try, and only one that was made after the exchange began fits a request that is sent again.
    case offeringMore(isAgain: Bool)

    /// Whether only a connection fits that was made after the exchange began.
    var isFresh: Bool {
        switch self {
        case .first: false
        case .afresh, .anew: true
        case .offeringMore(let isAgain): isAgain
        }
    }
}
