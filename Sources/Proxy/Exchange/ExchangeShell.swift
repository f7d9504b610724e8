import DequeModule
import NIOCore
import NIOHTTP2
import Traffic

/// One exchange on its way: tells the state machine what happens to it, does what follows, and writes it down.
///
/// An exchange joins a client and an upstream on the same loop, and asks neither which version it speaks. It ends once, whatever happens, and is told
/// nothing after that.
final class ExchangeShell {
    /// Its number, unique in one run: events of the exchange before carry another.
    let token: CaptureToken
    /// The client, which gets the response.
    let client: any ExchangeClient
    /// The loop that everything here runs on.
    let loop: ProxyLoop
    /// The request, and where it goes.
    var subject: ExchangeSubject
    /// The rules.
    var machine: ExchangeStateMachine
    /// The record so far.
    var tap: CaptureTap
    /// The upstream; `nil` before it is there, and once the exchange is done with it.
    var upstream: (any Upstream)?
    /// The search for a connection; `nil` while there is none.
    var search: Dial?
    /// A stream whose connection has yet to say what it takes; `nil` where the exchange waits for none.
    var unsettled: UpstreamHandler?
    /// Whether the upstream's connection may carry another exchange after this one.
    var isUpstreamReusable = false
    /// Whether the client's connection of HTTP/1 may carry another exchange after this one; false for a stream.
    var persists: Bool
    /// Whether the record takes its content for a WebSocket's.
    var isWebSocket = false
    /// The response's head as the client gets it.
    var responsePart: WirePart?
    /// The code with which one side reset its stream; the other side's stream is reset with it too.
    var resetCode: HTTP2ErrorCode?
    /// The code for the reset of a client's stream whose request was malformed, answered or not (RFC 9113 §8.1.1).
    var breachCode: HTTP2ErrorCode?
    /// The proxy's own answer, once it is made.
    var answer: OwnAnswer?
    /// The status code of the proxy's own answer; `nil` where the failure settles it.
    var answerCode: Int?
    /// What the rules do to it; `nil` where none may apply.
    var rules: ExchangeRules?
    /// The room of the body that was kept of the response, until that is written, and of what it has grown by.
    var unsent: [RuleRoom] = []
    /// Whether a rule has changed the request's head.
    var isAmended = false
    /// The rule that has changed where the request goes, the last one of several; `nil` where none has.
    var sender: String?
    /// Whether the response, which rules look at, has a place for trailers.
    var isResponseChunked = false
    /// Whether the client has ended its side of the connection.
    var hasClientStopped = false
    /// Whether a rule leaves the client without an answer.
    var isLeftWaiting = false
    /// When things happened.
    var marks: ExchangeMarks
    /// What it adds to a spell of late exchanges; `nil` where its client did not get the response before the record did.
    var late: LateSpell?

    private var facts: Deque<Fact> = []
    private var isPerforming = false
    /// A read burst of the client's ended while effects were performed.
    private var owesFlush = false
    /// Whether its client has been told of its end.
    private(set) var isEnded = false

    /// An exchange that has yet to begin.
    ///
    /// - Parameters:
    ///   - client: the client.
    ///   - subject: its request, and where that goes.
    ///   - persists: whether the client's connection may carry another exchange.
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
            interimLimitBytes: loop.configuration.interimLimitBytes,
            isStream: client.version == .http2,
            asksFirst: head.framing != .none && Expectation.isMade(by: head),
            webSocketRequest: head.webSocketRequest
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

    /// Begins to look for the upstream; what comes of the request meanwhile waits.
    func begin() {
        if let host = subject.errand?.route.host, subject.head.fields.contains("host") {
            tap.exchange.warnings.append(
                client.connection.naming == .upstream(host: host)
                    ? "\(Exchange.replacedHost)was replaced by the reverse upstream's, \(host)."
                    : "\(Exchange.replacedHost)named another authority than the request target; \(host) was sent."
            )
        }
        tap.begin(.request, subject.head.fields, loop.lane)
        loop.watch.soon(client, exchange: token, now: marks.began)
        findRules()
        tell(.request)
    }

    // MARK: The machine

    /// Whether nothing that happens changes the exchange any more.
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

    /// Changes each part of the request's content that waits for the upstream, told to the machine or still to be told.
    func editWaiting(_ edit: (ByteBuffer) -> ByteBuffer) {
        machine.editWaiting(edit)
        facts = Deque(facts.compactMap { $0.edited(edit) })
    }

    /// The request's content that waits for the upstream.
    var waitingContent: ByteBuffer {
        var content = ByteBuffer()
        editWaiting { piece in
            content.writeImmutableBuffer(piece)
            return piece
        }
        return content
    }

    /// Changes the trailers of the request, if its end waits for the upstream.
    func editWaitingTrailers(_ edit: (ByteBuffer?) -> ByteBuffer?) {
        machine.editWaitingTrailers(edit)
        facts = Deque(facts.map { $0.editedTrailers(edit) })
    }

    /// Ends the exchange: nothing that is told from now on reaches the machine.
    func end() {
        isEnded = true
        facts.removeAll()
        if let upstream = unsettled.take() { loop.pool.giveBack(upstream) }
    }

    /// Sends what was written upstream, unless the client's read burst is under way, whose end does it; a new stream has its number from then on.
    func flushUpstream() {
        guard !client.isReading, let upstream else { return }
        upstream.flush()
        giveBackSent()
        guard tap.exchange.upstreamStream == nil, let number = upstream.streamID else { return }
        tap.exchange.upstreamStream = number
    }

    /// The client's read burst is over: sends what came of it.
    ///
    /// A stream can answer a read at once, within the effect that asked for it. What was read is not written then, and is sent behind that effect.
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
