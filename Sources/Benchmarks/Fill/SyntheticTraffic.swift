import Crypto
import NIOCore
import Traffic

/// The exchanges of a filled store: what four apps, a browser and their servers might have said over two weeks, the same for the same seed.
struct SyntheticTraffic {
    let seed: UInt64
    let count: Int
    private let needles: [Int: Needle]

    init(seed: UInt64, count: Int) {
        (self.seed, self.count) = (seed, count)
        needles = Needle.places(in: count)
    }

    /// Two weeks that end on 2026-11-15, in microseconds.
    private static let begin: Int64 = 1_762_000_000_000_000
    private static let span: Int64 = 14 * 86_400 * 1_000_000
    private static let clients = (0..<40).map {
        Peer(token: UInt64(1 + $0), address: "127.0.0.1:\(50_000 + $0)", tls: nil)
    }
    private static let upstreams = (0..<80).map {
        Peer(
            token: UInt64(1_000 + $0),
            address: "192.0.2.\($0):443",
            tls: Peer.TLS(version: "TLSv1.3", serverName: nil, applicationProtocol: nil)
        )
    }

    /// The events of the exchange of a number, from 1.
    func events(_ number: Int) -> [ExchangeEvent] {
        var random = BenchmarkGenerator(seed: seed &* 0x9E37_79B9 &+ UInt64(truncatingIfNeeded: number))
        let needle = needles[number]
        let host: SyntheticHost =
            switch needle {
            case .body, .coded, .header, .target: .of(.facilities)
            case .request: .of(.menus)
            case .message: .of(.socket)
            case nil: .of(random.below(1000), number)
            }
        let message = SyntheticMessage(host: host, number: number, needle: needle, &random)
        let token = CaptureToken(number)
        var exchange = exchange(number, host, message, &random)
        if host.kind == .tunnel {
            exchange.response = nil
            return [.ended(token, exchange, request: ByteBuffer(), response: ByteBuffer())]
        }
        if needle == nil, random.below(100) == 0 { fail(&exchange, &random) }
        guard host.kind == .socket, exchange.outcome == .completed else {
            return [
                .ended(
                    token,
                    exchange,
                    request: message.request,
                    response: exchange.response == nil ? ByteBuffer() : message.response
                )
            ]
        }
        return stream(token, &exchange, needle, &random)
    }

    private func exchange(
        _ number: Int,
        _ host: SyntheticHost,
        _ message: SyntheticMessage,
        _ random: inout BenchmarkGenerator
    ) -> Exchange {
        let step = SyntheticTraffic.span / Int64(max(1, count))
        let jitter = Int64(random.below(Int(step) * 3 + 1000))
        var exchange = Exchange(
            timeline: Timeline(started: SyntheticTraffic.begin + step * Int64(number) + jitter),
            method: message.method,
            scheme: host.scheme,
            host: host.name,
            port: host.name == "localhost" ? 8080 : 443,
            target: message.target,
            request: Message(head: message.requestHead, body: SyntheticTraffic.measure(message.request)),
            client: SyntheticTraffic.clients[number % 40],
            outcome: host.kind == .tunnel ? .tunnelled : .completed
        )
        exchange.version = host.version
        exchange.upstreamVersion = host.version == .webSocket ? .http11 : host.version
        exchange.upstream = SyntheticTraffic.upstreams[random.below(80)]
        exchange.timeline.send = 20
        exchange.timeline.wait = Int64(
            1_000 + random.below(60_000) + (random.below(40) == 0 ? random.below(4_000_000) : 0)
        )
        exchange.timeline.receive = Int64(random.below(5_000))
        exchange.timeline.duration = 20 + (exchange.timeline.wait ?? 0) + (exchange.timeline.receive ?? 0)
        if host.kind != .tunnel {
            exchange.code = message.code
            exchange.mediaType = message.mediaType
            exchange.response = Message(head: message.responseHead, body: SyntheticTraffic.measure(message.response))
        }
        if random.below(500) == 0, number > 1 { exchange.replayOf = Int64(random.below(number - 1) + 1) }
        return exchange
    }

    /// Makes it a failure: before a response, or within one.
    private func fail(_ exchange: inout Exchange, _ random: inout BenchmarkGenerator) {
        exchange.outcome = .failed
        let causes: [Cause] = [.refused, .reset, .timeout, .unknownName]
        exchange.failure = ExchangeFailure(
            side: .upstream,
            phase: .connect,
            cause: random.pick(causes),
            message: "The upstream did not answer.",
            retry: true
        )
        if random.below(3) > 0 { (exchange.response, exchange.code, exchange.mediaType) = (nil, nil, nil) }
    }

    /// A stream of messages: opened, then each message, then the end.
    private func stream(
        _ token: CaptureToken,
        _ exchange: inout Exchange,
        _ needle: Needle?,
        _ random: inout BenchmarkGenerator
    ) -> [ExchangeEvent] {
        var open = exchange
        (open.outcome, open.timeline.duration) = (.pending, nil)
        var events: [ExchangeEvent] = [.opened(token, open)]
        let total = 4 + random.below(12)
        for place in 0..<total {
            let word = place == 2 ? needle?.rawValue ?? "tick" : "tick"
            let payload = ByteBuffer(
                string:
                    #"{"seq":\#(place),"kind":"\#(word)","key":"\#(random.hex(12))","value":\#(random.below(90_000))}"#
            )
            let side = place % 3 == 0 ? MessageSide.request : .response
            exchange.messages.add(side)
            var message = StreamMessage(
                side: side,
                time: exchange.timeline.started + Int64(place) * 1_000,
                kind: .webSocket,
                wireBytes: Int64(payload.readableBytes),
                size: Int64(payload.readableBytes),
                payload: payload
            )
            message.opcode = WebSocketOpcode.text.rawValue
            events.append(.message(token, message))
        }
        events.append(.ended(token, exchange, request: ByteBuffer(), response: ByteBuffer()))
        return events
    }

    private static func measure(_ bytes: ByteBuffer) -> Body {
        guard bytes.readableBytes > 0 else { return Body() }
        let digest = bytes.withUnsafeReadableBytes { SHA256.hash(data: $0) }
        return Body(length: Int64(bytes.readableBytes), kept: Int64(bytes.readableBytes), sha256: Array(digest))
    }
}
