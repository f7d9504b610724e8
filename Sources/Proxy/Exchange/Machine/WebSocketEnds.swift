import NIOCore
import Traffic

/// How far a WebSocket has come with its end.
struct WebSocketEnds {
    /// What the frames that came say of it.
    var frames = WebSocketFrames()
    /// The side that ended first; `nil` while both go on.
    private(set) var endedFirst: MessageSide?
    /// Whether the upstream's side has ended.
    private(set) var hasUpstreamEnded = false
    /// When a proxy that stops sent its close frames, behind which it passes nothing on; `nil` where it has not.
    var closed: NIODeadline?

    /// A side sends nothing more.
    mutating func ended(_ side: MessageSide) {
        if endedFirst == nil { endedFirst = side }
        if side == .response { hasUpstreamEnded = true }
    }
}
