/// The kind of connection that an exchange asks for.
enum ConnectAttempt {
    /// Any connection that fits: a kept one, a shared one, or a new one.
    case first
    /// A connection that nothing was sent on, for a request that is sent again: the connection before was closed, or did nothing with the request.
    case afresh
    /// A connection that nothing was sent on: where the client may go has changed, and the connection that was just made is not for it.
    case anew
    /// Any connection that is offered HTTP/2 too, since the upstream refuses to speak HTTP/1.1; the request is translated.
    case offeringMore
}
