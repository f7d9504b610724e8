import NIOCore
import NIOHTTP2
import Traffic

/// An upstream at the end of a slow network: what it is sent waits for half a round trip and for its place on a narrow line.
///
/// While something waits it takes no more of the request, so that its client is not read.
final class PacedUpstream: Upstream {
    private enum Part: PacedPart {
        case head
        case body(ByteBuffer)
        case end(ByteBuffer?)
        case endOutput

        var content: ByteBuffer? { if case .body(let bytes) = self { bytes } else { nil } }
    }

    private let inner: any Upstream
    private let loop: ProxyLoop
    /// `nil` once it is done with.
    private var exchange: ExchangeShell?
    private let timing: ExchangeTiming
    private var waiting = PacedQueue<Part>()
    private var timer: Scheduled<Void>?

    /// - Parameters:
    ///   - inner: the upstream.
    ///   - exchange: the exchange that uses it.
    ///   - timing: what the rules do to its time.
    init(_ inner: any Upstream, for exchange: ExchangeShell, _ timing: ExchangeTiming) {
        (self.inner, self.exchange, self.timing) = (inner, exchange, timing)
        loop = exchange.loop
        if timing.isLifted { waiting.lift() } else { waiting.follow(timing.pacing.requestPace) }
    }

    var isReused: Bool { inner.isReused }
    var isStream: Bool { inner.isStream }
    var streamID: Int? { inner.streamID }
    var mayLeaveEndUnsaid: Bool { inner.mayLeaveEndUnsaid }
    var isWritable: Bool { !isFull && inner.isWritable }

    /// Whether anything waits.
    var isHolding: Bool { !waiting.isEmpty }

    private var isFull: Bool {
        guard timing.pacing.hasLatency, exchange?.isOfMessages(.request) == true else { return isHolding }
        return waiting.isFull
    }

    // MARK: From the exchange

    func sendHead(of exchange: ExchangeShell) {
        let isNamed = exchange.tap.exchange.timeline.dns != nil
        let lookUp = isNamed ? timing.pacing.lookUp * 1_000 : 0
        take(.head, latency: timing.drawLatency() + lookUp)
    }

    func send(_ content: ByteBuffer) {
        let isMessage = exchange?.isOfMessages(.request) == true
        take(.body(content), latency: isMessage ? timing.drawLatency() : 0)
    }

    func sendEnd(_ trailers: ByteBuffer?) { take(.end(trailers), latency: 0) }

    func endOutput() { take(.endOutput, latency: 0) }

    func flush() { inner.flush() }

    private func take(_ part: Part, latency: Int64) {
        let now = loop.nanoseconds
        waiting.take(part, at: now, latency: latency)
        goOn(now)
    }

    // MARK: What passes

    /// Sends what may go now, and waits for the rest.
    private func goOn(_ now: Int64) {
        guard timer == nil else { return }
        while exchange != nil {
            switch waiting.next(now) {
            case .pass(let part): pass(part)
            case .wait(let until): return wait(until: until, now)
            case .rest: return
            }
        }
    }

    private func pass(_ part: Part) {
        guard let exchange else { return }
        exchange.marks.active = loop.now
        switch part {
        case .head: inner.sendHead(of: exchange)
        case .body(let bytes): if bytes.readableBytes > 0 { inner.send(bytes) }
        case .end(let trailers):
            // The request ends when the upstream has it.
            exchange.marks.requestEnded = loop.now
            inner.sendEnd(trailers)
        case .endOutput: inner.endOutput()
        }
    }

    private func wait(until: Int64, _ now: Int64) {
        timing.began(.request, now)
        timer = loop.loop.assumeIsolated().scheduleTask(in: .nanoseconds(max(0, until - now))) { [self] in
            timer = nil
            woken(max(loop.nanoseconds, until))
        }
    }

    private func woken(_ now: Int64) {
        goOn(now)
        inner.flush()
        guard let exchange else { return }
        exchange.flushUpstream()
        guard !isFull else { return }
        if !isHolding { timing.ended(.request, now) }
        exchange.upstreamTakesMore()
        // The end of the response may have waited for the end of the request.
        if !isHolding { exchange.passOn() }
    }

    /// Sends everything at once from here on, since the proxy stops.
    func lift() {
        openWide()
        woken(loop.nanoseconds)
    }

    /// Lets everything go at once.
    private func openWide() {
        stopTimer()
        waiting.lift()
    }

    /// Sends nothing more: the upstream is gone.
    func abandon() {
        stopTimer()
        waiting.clear()
        timing.ended(.request, loop.nanoseconds)
    }

    private func stopTimer() {
        timer?.cancel()
        timer = nil
    }

    // MARK: Its end

    func resumeRead() { inner.resumeRead() }

    func release(from exchange: ExchangeShell) {
        // Where the response was complete before the request, the little that waits goes at once: nothing of a request is lost.
        if isHolding {
            openWide()
            goOn(loop.nanoseconds)
        }
        leave()
        inner.release(from: exchange)
    }

    func drop(_ code: HTTP2ErrorCode) {
        leave()
        inner.drop(code)
    }

    private func leave() {
        abandon()
        exchange = nil
    }

    func isNear(_ listeners: OwnListeners) -> Bool { inner.isNear(listeners) }

    func look(_ progress: inout SocketProgress, _ now: NIODeadline) { inner.look(&progress, now) }

    func wasSilent(since: NIODeadline) { inner.wasSilent(since: since) }
}
