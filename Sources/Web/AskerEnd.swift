import Hummingbird
import Traffic

/// The judgement on an asker that sends no more: it has left, or it has closed only its own side and waits for its answer, as HTTP/1.1 allows.
///
/// No byte tells the one from the other. So an end right behind the request is no leave, and a later one is. A browser never closes only its own
/// side; it may give up a request at any time.
///
/// An end right behind the request may be a leave all the same. So a read goes on for a limited time, because many such clients would keep the store
/// busy. An edit runs to its end.
struct AskerEnd: Sendable {
    private let halfCloseTime: Duration
    /// The time for which a read goes on behind an early end; `nil` where there is no limit, as for an edit.
    private let waitTime: Duration?
    private let clock: TimeSource
    /// The time of the request, by the clock's monotonic time.
    private let began: Duration

    /// - Parameters:
    ///   - request: the request whose answer begins now.
    ///   - door: the clock, and how long an end is no leave.
    ///   - isLimited: whether a read goes on only for a time behind an end that may be a leave.
    init(of request: Request, at door: StoreDoor, isLimited: Bool) {
        halfCloseTime = request.headers[.secFetchSite] == nil ? door.halfCloseTime : .zero
        let isRead = request.method == .get || request.method == .head
        waitTime = isRead && isLimited ? door.waitTime : nil
        (clock, began) = (door.clock, door.clock.uptime)
    }

    /// The time after which an end that shows now is a leave; `nil` where it is no leave.
    var timeLeft: Duration? { clock.uptime - began >= halfCloseTime ? .zero : waitTime }
}
