import NIOCore

/// A wait of an exchange that has lasted too long.
enum Deadline: Equatable {
    /// The record did not commit the exchange in time.
    case hold
    /// The record did not commit a response in time that was complete before its request.
    case responseHold
    /// A last word that changes nothing did not come in time: the end of a stream whose content is whole, or a WebSocket client's close frame.
    case lastWord
    /// The client took nothing more of the response for so long.
    case unread(TimeAmount)
    /// The upstream sent nothing for so long, though a response or the rest of it is due; it is silent since then.
    case silence(TimeAmount, since: NIODeadline)
    /// The upstream took nothing more of the request for so long.
    case untaken(TimeAmount)
    /// The client sent nothing more of its request.
    case stalled
    /// While the proxy stops, an event stream or a WebSocket has rested long enough, or a WebSocket's ends did not answer our close frames in time.
    case rest
    /// The proxy stops, and has waited long enough.
    case cut
}
