import NIOCore
import NIOHTTP2

/// Closes a connection with nothing under way once its socket has taken what was written; at once where it has.
///
/// An earlier close would throw away what the socket has not taken, such as the end of a response that the client reads slowly. A connection whose
/// other end takes nothing for so long is cut off; so is a stream whose other end opens no window for the rest.
final class LeavingConnection: Watched {
    private let channel: any Channel
    /// The stream's codec; `nil` for a connection.
    private let stream: HTTP2StreamCodec?
    private let watch: LoopWatch
    private let limit: TimeAmount
    private var progress: SocketProgress

    private init(_ channel: any Channel, stream: HTTP2StreamCodec? = nil, _ loop: ProxyLoop, within limit: TimeAmount?)
    {
        self.channel = channel
        self.stream = stream
        watch = loop.watch
        self.limit = limit ?? loop.configuration.idleTimeout
        progress = SocketProgress(since: loop.now)
        progress.look(channel, stream: stream, loop.now)
    }

    /// Ends a connection; nothing may be written on it from here on.
    ///
    /// - Parameters:
    ///   - channel: the connection's.
    ///   - loop: its loop.
    ///   - limit: for how long the other end may take nothing; `nil` for the idle time.
    static func leave(_ channel: any Channel, _ loop: ProxyLoop, within limit: TimeAmount? = nil) {
        let leaving = LeavingConnection(channel, loop, within: limit)
        leaving.watch.add(leaving)
        ConnectionEnd.whenWritten(channel) {
            leaving.watch.remove(leaving)
            ConnectionEnd.leave(channel)
        }
    }

    /// Waits for the end of a stream on which both sides have sent everything, though the last of a request may still wait for its window.
    static func awaitEnd(of stream: HTTP2StreamCodec, on channel: any Channel, _ loop: ProxyLoop) {
        guard channel.isActive else { return }
        let leaving = LeavingConnection(channel, stream: stream, loop, within: nil)
        leaving.watch.add(leaving)
        channel.closeFuture.assumeIsolated().whenComplete { _ in leaving.watch.remove(leaving) }
    }

    func look(_ now: NIODeadline) {
        progress.look(channel, stream: stream, now)
        if now - progress.since >= limit { cut() }
    }

    func due(_ exchange: UInt64) {}

    func drain() -> Bool { true }

    func cut() { if let stream { stream.reset(.cancel) } else { ConnectionEnd.reset(channel) } }
}
