import NIOCore
import Traffic

/// The times at which things happened to an exchange, on the monotonic clock.
struct ExchangeMarks {
    /// When the exchange began.
    let began: NIODeadline
    /// When the upstream was there; `nil` before that.
    var ready: NIODeadline?
    /// When the request was complete; `nil` before that.
    var requestEnded: NIODeadline?
    /// When the final response began; `nil` before that.
    var firstByte: NIODeadline?
    /// When the exchange was over, and only its record was still to be committed; `nil` before that.
    var held: NIODeadline?
    /// When the record was told of a response that is complete before its request; `nil` where there is none.
    var answering: NIODeadline?
    /// When the last byte came, from either side.
    var active: NIODeadline
    /// When the last byte of a response came.
    var responded: NIODeadline
    /// When a look last found that we do not read what is awaited: the client takes nothing, or the record has no room.
    var paused: NIODeadline
    /// Whether the upstream takes what it is sent.
    var sending: SocketProgress

    /// The marks of an exchange that begins.
    init(began: NIODeadline) {
        self.began = began
        active = began
        responded = began
        paused = began
        sending = SocketProgress(since: began)
    }

    /// Fills in the phases of a timeline that are over, in microseconds.
    ///
    /// - Parameters:
    ///   - timeline: the timeline; it has the set-up of a new connection already.
    ///   - now: the time.
    ///   - isFinal: whether the exchange is over.
    func fill(_ timeline: inout Timeline, at now: NIODeadline, isFinal: Bool) {
        if let ready {
            let setUp = [timeline.dns, timeline.connect, timeline.tls].compactMap { $0 }.reduce(0, +)
            timeline.blocked = max((ready - began).microseconds - setUp, 0)
            let sent = min(requestEnded ?? now, firstByte ?? now)
            timeline.send = max((sent - ready).microseconds, 0)
            if let firstByte {
                timeline.wait = max((firstByte - max(sent, ready)).microseconds, 0)
                timeline.receive = max((now - firstByte).microseconds, 0)
            }
        }
        if isFinal { timeline.duration = (now - began).microseconds }
    }
}
