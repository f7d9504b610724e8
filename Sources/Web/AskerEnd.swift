import Hummingbird
import Traffic

/// What the end of what an asker sends says: it has left, or it has closed only its own side and waits for its answer, as HTTP/1.1 lets it.
///
/// No byte tells the one from the other. So an end right behind the request is no leave, and a later one is. A browser never closes only its own side:
/// what it gives up, it gives up at any time.
///
/// An end right behind the request may be a leave all the same. A read goes on for a limited time then, since many such clients would keep the store
/// busy. An edit is done to its end.
struct AskerEnd: Sendable {
    private let halfCloseTime: Duration
    /// `nil` where there is no limit, as for an edit.
    private let waitTime: Duration?
    private let clock: TimeSource
    /// When it was asked, by the clock's monotonic time.
    private let began: Duration

    /// - Parameters:
    ///   - request: what is answered, from now on.
    ///   - door: how long an end is no leave.
    ///   - isLimited: whether a read goes on only for a time behind an end that may be a leave.
    init(of request: Request, at door: StoreDoor, isLimited: Bool) {
        halfCloseTime = request.headers[.secFetchSite] == nil ? door.halfCloseTime : .zero
        let isRead = request.method == .get || request.method == .head
        waitTime = isRead && isLimited ? door.waitTime : nil
        (clock, began) = (door.clock, door.clock.uptime)
    }

    /// The time after which an end that is seen now is a leave; `nil` where it is none.
    var timeLeft: Duration? { clock.uptime - began >= halfCloseTime ? .zero : waitTime }
}
