import NIOCore

/// Ends a connection that nothing is under way on any more once its socket has taken what was written: at once where it has.
///
/// A close throws away what the socket has not taken, such as the end of a response that its client reads slowly. One that takes nothing of it for
/// the idle time is cut off.
final class LeavingConnection: Watched {
    private let channel: any Channel
    private let watch: LoopWatch
    private let limit: TimeAmount
    private var progress: SocketProgress

    private init(_ channel: any Channel, _ loop: ProxyLoop) {
        self.channel = channel
        watch = loop.watch
        limit = loop.configuration.idleTimeout
        progress = SocketProgress(since: loop.now)
    }

    /// Ends a connection; nothing may be written on it from here on.
    static func leave(_ channel: any Channel, _ loop: ProxyLoop) {
        let leaving = LeavingConnection(channel, loop)
        leaving.watch.add(leaving)
        ConnectionEnd.whenWritten(channel) {
            leaving.watch.remove(leaving)
            ConnectionEnd.leave(channel)
        }
    }

    func look(_ now: NIODeadline) {
        progress.look(channel, stream: nil, now)
        if now - progress.since >= limit { ConnectionEnd.reset(channel) }
    }

    func due(_ exchange: UInt64) {}

    func drain() -> Bool { true }

    func cut() { ConnectionEnd.reset(channel) }
}
