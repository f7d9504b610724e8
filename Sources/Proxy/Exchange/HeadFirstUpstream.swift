import NIOCore
import NIOHTTP2
import Traffic

/// An upstream that gets the head of a large upload a moment before its content.
///
/// A server that answers by the head alone (413, 401, a redirect) so answers before there is anything else to read. Only a new connection of
/// HTTP/1.1 waits, and only for content of at least `leastBytes`, for which `ProxyConfiguration.uploadDelay` is no time. While content waits, its
/// client is not read. Used on the exchange's loop only.
final class HeadFirstUpstream: Upstream {
    /// The least content that waits, in bytes.
    static let leastBytes: Int64 = 512 << 10

    private enum Part {
        case body(ByteBuffer)
        case end(ByteBuffer?)
    }

    private let inner: any Upstream
    /// What came of the request behind its head, until that may go.
    private var waiting: [Part] = []
    private var timer: Scheduled<Void>?

    /// - Parameter inner: the upstream.
    init(_ inner: any Upstream) { self.inner = inner }

    /// Whether the request is one whose head goes first.
    static func isFor(_ head: RequestHead, on upstream: any Upstream) -> Bool {
        guard case .length(let length) = head.framing, length >= leastBytes else { return false }
        return upstream is UpstreamHandler && !upstream.isStream && !upstream.isReused
    }

    var isReused: Bool { inner.isReused }
    var isStream: Bool { inner.isStream }
    var streamID: Int? { inner.streamID }
    var mayLeaveEndUnsaid: Bool { inner.mayLeaveEndUnsaid }
    var isWritable: Bool { timer == nil && inner.isWritable }

    // MARK: From the exchange

    func sendHead(of exchange: ExchangeShell) {
        inner.sendHead(of: exchange)
        let delay = exchange.loop.configuration.uploadDelay
        timer = exchange.loop.loop.assumeIsolated().scheduleTask(in: delay) { [self] in
            goOn()
            inner.flush()
            exchange.upstreamTakesMore()
        }
    }

    func send(_ content: ByteBuffer) {
        guard timer != nil else { return inner.send(content) }
        waiting.append(.body(content))
    }

    func sendEnd(_ trailers: ByteBuffer?) {
        guard timer != nil else { return inner.sendEnd(trailers) }
        waiting.append(.end(trailers))
    }

    func endOutput() { inner.endOutput() }

    func flush() { inner.flush() }

    /// Sends what waits, and holds nothing back from here on.
    private func goOn() {
        stop()
        for part in waiting {
            switch part {
            case .body(let bytes): inner.send(bytes)
            case .end(let trailers): inner.sendEnd(trailers)
            }
        }
        waiting = []
    }

    private func stop() {
        timer?.cancel()
        timer = nil
    }

    // MARK: Its end

    func resumeRead() { inner.resumeRead() }

    func release(from exchange: ExchangeShell) {
        // A request that is whole goes out whole, although its response came early.
        if case .end? = waiting.last { goOn() } else { stop() }
        waiting = []
        inner.release(from: exchange)
    }

    func drop(_ code: HTTP2ErrorCode) {
        stop()
        waiting = []
        inner.drop(code)
    }

    func isNear(_ listeners: OwnListeners) -> Bool { inner.isNear(listeners) }

    func look(_ progress: inout SocketProgress, _ now: NIODeadline) { inner.look(&progress, now) }

    func wasSilent(since: NIODeadline) { inner.wasSilent(since: since) }
}
