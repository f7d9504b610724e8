import NIOCore
import Traffic

/// How far the two ends of an exchange that became a WebSocket have come with ending it.
struct WebSocketEnds {
    /// The side that ended first; `nil` while both go on.
    var endedFirst: MessageSide?
    /// Whether the upstream's side has ended.
    var hasUpstreamEnded = false
    /// When a proxy that stops has closed it, behind which it passes nothing on; `nil` where it has not.
    var closed: NIODeadline?
}
