import NIOCore
import NIOHTTP2

/// Closes a connection with nothing under way once its other end has what was written.
///
/// What is written waits in the proxy first, then in the socket, which sends it to the other end's machine. A full close throws away what waits in
/// the proxy. The socket sends on what it holds, unless something comes to it after the close: it answers that with a reset, and throws the rest
/// away. So where the other end may still send, its machine must have everything before the close.
///
/// No wait lasts longer than its limit without progress. What waits in the proxy is thrown away then, with a reset; what the socket holds is left to
/// it. A proxy that stops waits for the socket for `drainRestTime` without progress, and for all else until it has waited long enough.
///
/// Where an upstream has still to end a stream, or to open its window for the rest of a request that is answered, the stream is reset instead. A
/// proxy that stops does so after `lastWordTimeout` for the end of a WebSocket, and after `drainRestTime` without progress for the rest of a request.
final class LeavingConnection: Watched {
    private let channel: any Channel
    /// The stream's codec; `nil` for a connection.
    private let stream: HTTP2StreamCodec?
    private let loop: ProxyLoop
    private let limit: TimeAmount
    /// For how long a proxy that stops waits without progress.
    private let drainLimit: TimeAmount
    private var progress: SocketProgress
    /// Whether the socket has taken everything, and the other end's machine has still to.
    private var isOnItsWay = false

    private init(
        _ channel: any Channel,
        stream: HTTP2StreamCodec? = nil,
        _ loop: ProxyLoop,
        within limit: TimeAmount? = nil,
        drainingWithin drainLimit: TimeAmount? = nil
    ) {
        self.drainLimit = drainLimit ?? loop.configuration.drainRestTime
        self.channel = channel
        self.stream = stream
        self.loop = loop
        self.limit = limit ?? loop.configuration.idleTimeout
        progress = SocketProgress(since: loop.now)
        progress.look(channel, stream: stream, loop.now)
    }

    /// Ends a connection whose other end has ended its side, and may take nothing for the idle time; nothing may be written on it from here on.
    ///
    /// A stream, which has no socket of its own, is reset at once.
    static func leave(_ channel: any Channel, _ loop: ProxyLoop) {
        let leaving = LeavingConnection(channel, loop)
        loop.watch.add(leaving)
        ConnectionEnd.whenWritten(channel) { leaving.close() }
    }

    /// Ends a connection whose other end may still send; nothing may be written on it from here on but what is flushed in this tick.
    ///
    /// What comes is read and thrown away until then, up to a limit in bytes (`IgnoredInput`).
    ///
    /// - Parameters:
    ///   - channel: the connection's.
    ///   - loop: its loop.
    ///   - limit: for how long the other end may take nothing; `nil` for the idle time.
    static func leaveReading(_ channel: any Channel, _ loop: ProxyLoop, within limit: TimeAmount? = nil) {
        let leaving = LeavingConnection(channel, loop, within: limit)
        loop.watch.add(leaving)
        channel.closeFuture.assumeIsolated().whenComplete { _ in loop.watch.remove(leaving) }
        let operations = channel.pipeline.syncOperations
        if let end = try? operations.handler(type: ConnectionEnd.self) {
            try? operations.addHandler(IgnoredInput(), position: .after(end))
        }
        // Writes are joined (`JoinedWrites`) until the end of the tick.
        loop.loop.assumeIsolated().execute {
            ConnectionEnd.whenWritten(channel) {
                leaving.isOnItsWay = true
                _ = leaving.closeIfTaken()
            }
        }
    }

    /// Waits for the end of a stream on which both sides have sent everything, though the last of a request may still wait for its window.
    ///
    /// - Parameters:
    ///   - stream: the stream's codec.
    ///   - channel: the stream's.
    ///   - loop: its loop.
    ///   - isWebSocket: whether nothing but the upstream's end is missing.
    static func awaitEnd(of stream: HTTP2StreamCodec, on channel: any Channel, _ loop: ProxyLoop, isWebSocket: Bool) {
        guard channel.isActive else { return }
        let drainLimit = isWebSocket ? loop.configuration.lastWordTimeout : nil
        let leaving = LeavingConnection(channel, stream: stream, loop, drainingWithin: drainLimit)
        loop.watch.add(leaving)
        channel.closeFuture.assumeIsolated().whenComplete { _ in loop.watch.remove(leaving) }
    }

    func look(_ now: NIODeadline) {
        progress.look(channel, stream: stream, now)
        guard !closeIfTaken() else { return }
        if now - progress.since >= limit { giveUp() }
    }

    func due(_ exchange: UInt64) {}

    func drain() -> Bool {
        guard !closeIfTaken() else { return false }
        progress.look(channel, stream: stream, loop.now)
        guard loop.now - progress.since >= drainLimit else { return true }
        if let stream {
            stream.reset(.cancel)
        } else if isOnItsWay {
            close()
            return false
        }
        return true
    }

    func cut() -> Bool {
        giveUp()
        return false
    }

    /// Waits no longer.
    private func giveUp() {
        if let stream {
            stream.reset(.cancel)
        } else if isOnItsWay {
            close()
        } else {
            ConnectionEnd.reset(channel)
        }
    }

    /// Closes the connection where the other end's machine has all of it; whether it has.
    private func closeIfTaken() -> Bool {
        guard isOnItsWay, SocketProgress.heldBytes(of: channel) ?? 0 == 0 else { return false }
        close()
        return true
    }

    private func close() {
        loop.watch.remove(self)
        ConnectionEnd.leave(channel)
    }
}
