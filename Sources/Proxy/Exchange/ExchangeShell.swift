import DequeModule
import NIOCore
import NIOHTTP2
import Traffic

/// One exchange on its way: tells the state machine what happens to it, does what follows, and writes it down.
///
/// It stands between a client and an upstream on the same loop, neither of which it asks what it is. It ends once, whatever happens, and is told
/// nothing after that.
final class ExchangeShell {
    /// Unique in one run; tells answers to this exchange from answers to the one before.
    let token: CaptureToken
    let client: any ExchangeClient
    let loop: ProxyLoop
    /// What it is about.
    var subject: ExchangeSubject
    var machine: ExchangeStateMachine
    var tap: CaptureTap
    /// What answers it; `nil` before it is there and when it is done.
    var upstream: (any Upstream)?
    /// What gives the search for a connection up; `nil` while there is none.
    var search: Dial?
    /// A stream whose connection has yet to say what it takes; `nil` where none is waited for.
    var unsettled: UpstreamHandler?
    /// Whether the upstream's connection may carry another exchange after this one.
    var isUpstreamReusable = false
    /// Whether the client's connection may carry another exchange after this one, where it is one of HTTP/1.
    var persists: Bool
    /// Whether it has become a WebSocket.
    var isWebSocket = false
    /// The response's head as the client gets it.
    var responsePart: WirePart?
    /// The code with which one side reset its stream, for the other side's.
    var resetCode: HTTP2ErrorCode?
    /// The code that the client's stream is reset with though it may have an answer: its request was malformed (RFC 9113 §8.1.1).
    var breachCode: HTTP2ErrorCode?
    /// The proxy's own answer, once it is made.
    var answer: OwnAnswer?
    /// The status code of the proxy's own answer, where the failure does not say.
    var answerCode: Int?
    var marks: ExchangeMarks

    private var facts: Deque<Fact> = []
    private var isPerforming = false
    /// A read burst of the client's ended while effects were performed.
    private var owesFlush = false
    /// Whether its client has been told of its end.
    private(set) var isEnded = false

    init(client: any ExchangeClient, _ subject: ExchangeSubject, persists: Bool) {
        let (connection, loop) = (client.connection, client.connection.loop)
        self.client = client
        self.loop = loop
        self.subject = subject
        self.persists = persists
        token = loop.shared.nextToken()
        marks = ExchangeMarks(began: loop.now)
        let head = subject.head
        machine = ExchangeStateMachine(
            method: head.method,
            upstream: subject.errand?.key.endpoint,
            interimLimitCount: loop.configuration.interimLimitCount,
            isStream: client.version == .http2,
            asksFirst: head.framing != .none && Expectation.isMade(by: head)
        )
        var exchange = Exchange(
            timeline: Timeline(started: loop.timeOfDay),
            method: head.method,
            scheme: subject.scheme,
            host: subject.endpoint?.host ?? "",
            port: subject.endpoint?.port ?? 0,
            target: subject.target,
            request: Message(head: connection.recorded(head.raw)),
            client: connection.peer
        )
        exchange.version = subject.version
        exchange.stream = client.streamID
        exchange.replayOf = connection.replay?.original
        tap = CaptureTap(
            exchange,
            token: token,
            bodyLimitBytes: loop.configuration.bodyLimitBytes,
            messageLimits: loop.configuration.messageLimits,
            client: connection.holdings
        )
        noteReplaced(head.raw, head.version, .request)
    }

    /// Begins: the upstream is looked for, and what comes of the request meanwhile waits.
    func begin() {
        if let host = subject.errand?.route.host, subject.head.fields.contains("host") {
            tap.exchange.warnings.append(
                client.connection.naming == .upstream(host: host)
                    ? "The Host field was replaced by the reverse upstream's, \(host)."
                    : "The Host field named another authority than the request target; \(host) was sent."
            )
        }
        tap.begin(.request, subject.head.fields, loop.lane)
        loop.watch.soon(client, exchange: token, now: marks.began)
        tell(.request)
    }

    // MARK: The machine

    /// Whether nothing that happens reaches it any more.
    var isDeaf: Bool { isEnded || machine.isHeld }

    /// Tells the machine a fact, and does what follows from it.
    func tell(_ fact: Fact) {
        guard !isEnded else { return }
        guard !isPerforming else { return facts.append(fact) }
        isPerforming = true
        var effects = loop.spareEffects.take() ?? []
        var next: Fact? = fact
        while let fact = next {
            machine.handle(fact, &effects)
            var index = 0
            while index < effects.count {
                perform(effects[index])
                index += 1
            }
            effects.removeAll(keepingCapacity: true)
            next = isEnded ? nil : facts.popFirst()
        }
        loop.spareEffects = effects
        isPerforming = false
        if owesFlush {
            owesFlush = false
            flushUpstream()
        }
    }

    /// Nothing that is told from now on reaches the machine.
    func end() {
        isEnded = true
        facts.removeAll()
        if let upstream = unsettled.take() { loop.pool.giveBack(upstream) }
    }

    /// Sends what was written upstream, or leaves that to the end of the client's read burst; a new stream has its number from then on.
    func flushUpstream() {
        guard !client.isReading, let upstream else { return }
        upstream.flush()
        guard tap.exchange.upstreamStream == nil, let number = upstream.streamID else { return }
        tap.exchange.upstreamStream = number
    }

    /// The client's read burst is over.
    ///
    /// A stream's read can be answered at once, within the effect that asked for it: what was read is not written yet.
    func clientBurstEnded() { if isPerforming { owesFlush = true } else { flushUpstream() } }

    // MARK: Failures

    /// A failure of the client's side; the message is a whole sentence.
    func clientFailure(_ phase: ExchangeFailure.Phase, _ cause: Cause, _ message: String) -> ExchangeFailure {
        .ofClient(phase, cause, message)
    }

    /// A failure of the upstream's side; the message follows its address.
    func upstreamFailure(_ phase: ExchangeFailure.Phase, _ cause: Cause, _ message: String) -> ExchangeFailure {
        .ofUpstream(machine.upstream, phase, cause, message)
    }
}
