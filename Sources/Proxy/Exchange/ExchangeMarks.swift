import NIOCore
import Traffic

/// When what happened to an exchange, on the monotonic clock.
struct ExchangeMarks {
    let began: NIODeadline
    /// When its upstream was there.
    var ready: NIODeadline?
    var requestEnded: NIODeadline?
    var firstByte: NIODeadline?
    /// When the record was told that it is over; `nil` before that.
    var held: NIODeadline?
    /// When the record was told of a response that is complete before its request; `nil` where that is not waited for.
    var answering: NIODeadline?
    /// The last byte either way.
    var active: NIODeadline
    /// When a look last found that nothing is read of what is awaited: its client does not read, or the record is paused.
    var paused: NIODeadline
    /// Whether the upstream takes what it is sent.
    var sending: SocketProgress

    init(began: NIODeadline) {
        self.began = began
        active = began
        paused = began
        sending = SocketProgress(since: began)
    }

    /// Fills in the phases of a timeline that are over at a time; microseconds.
    ///
    /// - Parameters:
    ///   - timeline: what is filled in; it has the set-up of a new connection already.
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
