/// Which connection an exchange asks for.
enum ConnectAttempt {
    /// Any that fits: a kept one, one of others, or a new one.
    case first
    /// One that nothing was sent on: the request is sent again, since the connection before turned out to be closed, or did nothing with it.
    case afresh
    /// One that nothing was sent on, since where the client may go came to matter anew while the one before was made.
    case anew
    /// Any that is offered HTTP/2 too: the upstream refuses to speak HTTP/1.1, and what the client sends is translated.
    case offeringMore
}
