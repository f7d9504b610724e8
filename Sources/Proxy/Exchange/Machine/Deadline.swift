import NIOCore

/// A wait of an exchange that has lasted too long.
enum Deadline: Equatable {
    /// The record did not commit the exchange in time.
    case hold
    /// The record did not commit a response in time that was complete before its request.
    case responseHold
    /// What only says that all is over did not come in time: the end of a stream whose content is whole, or a WebSocket client's close frame.
    case lastWord
    /// The client took nothing more of the response for so long.
    case unread(TimeAmount)
    /// The upstream sent nothing of a response, or nothing more of it, for so long; since when it is silent.
    case silence(TimeAmount, since: NIODeadline)
    /// The upstream took nothing more of the request for so long.
    case untaken(TimeAmount)
    /// The client sent nothing more of its request.
    case stalled
    /// What may go on for as long as its ends like has rested for long enough while the proxy stops, or its ends did not answer that they close it.
    case rest
    /// The proxy stops, and has waited long enough.
    case cut
}
