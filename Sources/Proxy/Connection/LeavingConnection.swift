import NIOCore
import NIOHTTP2

/// Closes a connection with nothing under way once its socket has taken what was written; at once where it has.
///
/// An earlier close would throw away what the socket has not taken, such as the end of a response that the client reads slowly. A connection whose
/// other end takes nothing for so long is cut off; so is a stream whose other end opens no window for the rest.
///
/// Where the other end may still send, its machine must have all of it first: what comes to a closed socket is answered with a reset, and the socket
/// throws away what it holds.
final class LeavingConnection: Watched {
    private let channel: any Channel
    /// The stream's codec; `nil` for a connection.
    private let stream: HTTP2StreamCodec?
    private let watch: LoopWatch
    private let limit: TimeAmount
    private var progress: SocketProgress
    /// Whether the socket has taken everything, and the other end's machine has still to.
    private var isOnItsWay = false

    private init(
        _ channel: any Channel,
        stream: HTTP2StreamCodec? = nil,
        _ loop: ProxyLoop,
        within limit: TimeAmount? = nil
    ) {
        self.channel = channel
        self.stream = stream
        watch = loop.watch
        self.limit = limit ?? loop.configuration.idleTimeout
        progress = SocketProgress(since: loop.now)
        progress.look(channel, stream: stream, loop.now)
    }

    /// Ends a connection, whose other end may take nothing for the idle time; nothing may be written on it from here on.
    static func leave(_ channel: any Channel, _ loop: ProxyLoop) {
        let leaving = LeavingConnection(channel, loop)
        leaving.watch.add(leaving)
        ConnectionEnd.whenWritten(channel) { leaving.close() }
    }

    /// Ends a connection whose other end may still send; nothing may be written on it from here on but what is flushed in this tick.
    ///
    /// What comes is to be read and thrown away until the connection is closed.
    ///
    /// - Parameters:
    ///   - channel: the connection's.
    ///   - loop: its loop.
    ///   - limit: for how long the other end may take nothing.
    static func leaveReading(_ channel: any Channel, _ loop: ProxyLoop, within limit: TimeAmount) {
        let leaving = LeavingConnection(channel, loop, within: limit)
        leaving.watch.add(leaving)
        channel.closeFuture.assumeIsolated().whenComplete { _ in leaving.watch.remove(leaving) }
        // Writes are joined (`JoinedWrites`) until the end of the tick.
        loop.loop.assumeIsolated().execute {
            ConnectionEnd.whenWritten(channel) {
                leaving.isOnItsWay = true
                _ = leaving.closeIfTaken()
            }
        }
    }

    /// Waits for the end of a stream on which both sides have sent everything, though the last of a request may still wait for its window.
    static func awaitEnd(of stream: HTTP2StreamCodec, on channel: any Channel, _ loop: ProxyLoop) {
        guard channel.isActive else { return }
        let leaving = LeavingConnection(channel, stream: stream, loop)
        leaving.watch.add(leaving)
        channel.closeFuture.assumeIsolated().whenComplete { _ in leaving.watch.remove(leaving) }
    }

    func look(_ now: NIODeadline) {
        progress.look(channel, stream: stream, now)
        guard !closeIfTaken() else { return }
        if now - progress.since >= limit { reset() }
    }

    func due(_ exchange: UInt64) {}

    func drain() -> Bool { !closeIfTaken() }

    func cut() {
        // The socket sends on what it holds.
        if isOnItsWay { close() } else { reset() }
    }

    private func reset() { if let stream { stream.reset(.cancel) } else { ConnectionEnd.reset(channel) } }

    /// Closes the connection where the other end's machine has all of it; whether it has.
    private func closeIfTaken() -> Bool {
        guard isOnItsWay, SocketProgress.heldBytes(of: channel) ?? 0 == 0 else { return false }
        close()
        return true
    }

    private func close() {
        watch.remove(self)
        ConnectionEnd.leave(channel)
    }
}
