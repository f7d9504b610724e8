import Hummingbird

/// What the end of what an asker sends says: it has left, or it has closed only its own side and waits for its answer, as HTTP/1.1 lets it.
///
/// No byte tells the one from the other. So an end right behind the request is no leave, and a later one is. A browser never closes only its own side:
/// what it gives up, it gives up at any time.
struct AskerEnd: Sendable {
    private let halfCloseTime: Duration
    private let began = ContinuousClock.now

    /// - Parameters:
    ///   - request: what is answered, from now on.
    ///   - halfCloseTime: how long from now an end is no leave.
    init(of request: Request, halfCloseTime: Duration) {
        self.halfCloseTime = request.headers[.secFetchSite] == nil ? halfCloseTime : .zero
    }

    /// Whether an end that is seen now is a leave.
    var isLeave: Bool { began.duration(to: .now) >= halfCloseTime }
}
