import DequeModule
import NIOCore
import NIOHTTP2
import Traffic

/// An upstream at the end of a slow network: what it is sent waits for half a round trip and for its place on a narrow line.
///
/// While something waits it takes no more of the request, so that its client is not read.
final class PacedUpstream: Upstream {
    private enum Part {
        case head
        case content(ByteBuffer)
        case end(ByteBuffer?)
        case endOutput
    }

    /// Bytes of a stream of messages that wait for their half of a round trip before it takes no more.
    private static let streamLimitBytes = 64 << 10
    /// A loop that is late by more than this loses the line for the rest: 250 ms.
    private static let lagLimit: Int64 = 250_000_000

    private let inner: any Upstream
    private let loop: ProxyLoop
    /// `nil` once it is done with.
    private var exchange: ExchangeShell?
    private let timing: ExchangeTiming
    private var waiting = Deque<(part: Part, ready: Int64)>()
    /// Bytes of content among that.
    private var waitingBytes = 0
    /// A piece that has its place on the line.
    private var due: (bytes: ByteBuffer, at: Int64)?
    private var pace: BodyPace
    private var passedAt = Int64.min
    private var lastReady = Int64.min
    private var timer: Scheduled<Void>?
    private var isLifted: Bool

    /// - Parameters:
    ///   - inner: the upstream.
    ///   - exchange: the exchange that uses it.
    ///   - timing: what the rules do to its time.
    init(_ inner: any Upstream, for exchange: ExchangeShell, _ timing: ExchangeTiming) {
        (self.inner, self.exchange, self.timing) = (inner, exchange, timing)
        loop = exchange.loop
        isLifted = timing.isLifted
        pace = isLifted ? BodyPace() : timing.pacing.requestPace
    }

    var isReused: Bool { inner.isReused }
    var isStream: Bool { inner.isStream }
    var streamID: Int? { inner.streamID }
    var mayLeaveEndUnsaid: Bool { inner.mayLeaveEndUnsaid }
    var isWritable: Bool { !isFull && inner.isWritable }

    /// Whether anything waits.
    var isHolding: Bool { due != nil || !waiting.isEmpty }

    private var isFull: Bool {
        guard timing.pacing.hasLatency, exchange?.isOfMessages(.request) == true else { return isHolding }
        return waitingBytes + (due?.bytes.readableBytes ?? 0) >= Self.streamLimitBytes
    }

    // MARK: From the exchange

    func sendHead(of exchange: ExchangeShell) {
        let isNamed = exchange.tap.exchange.timeline.dns != nil
        let lookUp = isNamed ? timing.pacing.lookUp * 1_000 : 0
        take(.head, latency: timing.drawLatency() + lookUp)
    }

    func send(_ content: ByteBuffer) {
        let isMessage = exchange?.isOfMessages(.request) == true
        take(.content(content), latency: isMessage ? timing.drawLatency() : 0)
    }

    func sendEnd(_ trailers: ByteBuffer?) { take(.end(trailers), latency: 0) }

    func endOutput() { take(.endOutput, latency: 0) }

    func flush() { inner.flush() }

    private func take(_ part: Part, latency: Int64) {
        let now = loop.nanoseconds
        lastReady = max(lastReady, isLifted ? now : now + latency)
        if case .content(let bytes) = part { waitingBytes += bytes.readableBytes }
        waiting.append((part, lastReady))
        goOn(now)
    }

    // MARK: What passes

    /// Sends what may go now, and waits for the rest.
    private func goOn(_ now: Int64) {
        guard timer == nil else { return }
        while exchange != nil {
            if let piece = due {
                guard piece.at <= now else { return wait(until: piece.at, now) }
                due = nil
                inner.send(piece.bytes)
                exchange?.marks.active = loop.now
            }
            guard let first = waiting.first else { return }
            guard first.ready <= now else { return wait(until: first.ready, now) }
            if case .content(let bytes) = first.part, bytes.readableBytes > 0 {
                plan(bytes, first.ready, now)
            } else {
                waiting.removeFirst()
                pass(first.part)
            }
        }
    }

    private func pass(_ part: Part) {
        guard let exchange else { return }
        exchange.marks.active = loop.now
        switch part {
        case .head: inner.sendHead(of: exchange)
        case .content: break
        case .end(let trailers):
            // The request ends when the upstream has it.
            exchange.marks.requestEnded = loop.now
            inner.sendEnd(trailers)
        case .endOutput: inner.endOutput()
        }
    }

    private func plan(_ bytes: ByteBuffer, _ ready: Int64, _ now: Int64) {
        switch pace.next(bytes.readableBytes, ready: max(ready, passedAt, now - Self.lagLimit)) {
        case .wait(let until): waiting[0].ready = until
        case .pass(let count, let at):
            passedAt = at
            var rest = bytes
            guard count < bytes.readableBytes, let piece = rest.readSlice(length: count) else {
                waiting.removeFirst()
                waitingBytes -= bytes.readableBytes
                due = (bytes, at)
                return
            }
            waiting[0].part = .content(rest)
            waitingBytes -= count
            due = (piece, at)
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
        isLifted = true
        openWide()
        woken(loop.nanoseconds)
    }

    /// Lets everything that waits go at once.
    private func openWide() {
        timer?.cancel()
        timer = nil
        pace = BodyPace()
        (passedAt, lastReady) = (.min, .min)
        due?.at = .min
        for index in waiting.indices { waiting[index].ready = .min }
    }

    /// Sends nothing more: the upstream is gone.
    func abandon() {
        timer?.cancel()
        timer = nil
        if due != nil { pace.giveBack() }
        waiting.removeAll()
        (due, waitingBytes) = (nil, 0)
        timing.ended(.request, loop.nanoseconds)
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
