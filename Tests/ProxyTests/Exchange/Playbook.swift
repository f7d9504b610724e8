import NIOCore
import Traffic

@testable import Proxy

/// Plays one exchange against the state machine: facts in, effects out, each effect as a word or two.
struct Playbook {
    /// Where the upstream of every exchange is.
    static let upstream = Endpoint(host: "u.test", port: 80)

    private(set) var machine: ExchangeStateMachine
    /// Why it is recorded as failed; `nil` before that, and where it is not.
    private(set) var failure: ExchangeFailure?
    /// Whether it is recorded with an answer of the proxy's own.
    private(set) var endsWithAnswer = false

    init(
        _ method: String,
        interimLimitCount: Int = 64,
        interimLimitBytes: Int = 512 << 10,
        isStream: Bool = false,
        asksFirst: Bool = false,
        webSocketRequest: WebSocketRequest? = nil
    ) {
        machine = ExchangeStateMachine(
            method: method,
            upstream: Self.upstream,
            interimLimitCount: interimLimitCount,
            interimLimitBytes: interimLimitBytes,
            isStream: isStream,
            asksFirst: asksFirst,
            webSocketRequest: webSocketRequest
        )
    }

    /// Tells a fact; returns what the shell is to do.
    @discardableResult mutating func tell(_ fact: Fact) -> [String] {
        var effects: [Effect] = []
        machine.handle(fact, &effects)
        for case .record(_, let failure, let isAnswered) in effects {
            self.failure = failure
            endsWithAnswer = isAnswered
        }
        return effects.map(Self.text)
    }

    /// Tells facts; returns what the shell is to do after all of them.
    @discardableResult mutating func tell(_ facts: [Fact]) -> [String] { facts.flatMap { tell($0) } }

    /// A response's head; nothing but the upstream's word tells where its content ends, unless `framing` does.
    static func head(_ code: Int, _ framing: BodyFraming = .chunked) -> ResponseHead {
        ResponseHead(
            raw: ByteBuffer(string: "HTTP/1.1 \(code) x\r\n\r\n"),
            code: code,
            version: .http11,
            fields: HeaderList(bytes: ByteBuffer(), spans: []),
            framing: framing
        )
    }

    static func failure(
        _ cause: Cause,
        side: ExchangeFailure.Side = .upstream,
        phase: ExchangeFailure.Phase = .wait
    ) -> ExchangeFailure {
        ExchangeFailure(side: side, phase: phase, cause: cause, message: cause.rawValue)
    }

    private static func text(_ effect: Effect) -> String {
        switch effect {
        case .connect(.first): "connect"
        case .connect(.afresh): "connect afresh"
        case .connect(.anew): "connect anew"
        case .connect(.offeringMore(let isAgain)): "connect \(isAgain ? "afresh " : "")offering more"
        case .sendHead: "send head"
        case .send(let bytes): "send \(String(buffer: bytes))"
        case .sendEnd(let trailers): "send end" + (trailers.map { " \(String(buffer: $0))" } ?? "")
        case .endOutput: "end output"
        case .flushUpstream: "flush upstream"
        case .deliverInterim(let head): "deliver interim \(head.code)"
        case .deliverHead: "deliver head"
        case .deliverBody(let bytes): "deliver body \(String(buffer: bytes))"
        case .deliverEnd(let trailers): "deliver end" + (trailers.map { " \(String(buffer: $0))" } ?? "")
        case .deliverAnswer: "deliver answer"
        case .flushClient: "flush client"
        case .recordResponse: "note response"
        case .noteLate: "note late"
        case .noteUnsaidEnd: "note unsaid end"
        case .noteUnreadRest: "note unread rest"
        case .noteClosedWebSocket: "note closed web socket"
        case .noteUnreadRedirect: "note unread redirect"
        case .noteUnclosedEnd(let end): "note \(end.message)"
        case .record(let outcome, let failure, _): "record \(outcome.rawValue)" + (failure.map { " \($0.cause)" } ?? "")
        case .releaseUpstream: "release upstream"
        case .dropUpstream: "drop upstream"
        case .leaveUpstream: "leave upstream"
        case .reportSilence: "report silence"
        case .cutOffClient: "cut off client"
        case .finish(let isWhole): isWhole ? "finish" : "finish early"
        case .breakClient: "break client"
        case .leaveClient: "leave client"
        }
    }

    /// A request that is whole and sent on a connection.
    static func sent(
        _ method: String = "GET",
        isReused: Bool = false,
        isOnStream: Bool = false,
        body: String? = nil,
        webSocketRequest: WebSocketRequest? = nil
    ) -> Playbook {
        var play = Playbook(method, webSocketRequest: webSocketRequest)
        play.tell(.request)
        play.tell(.upstreamReady(isReused: isReused, isStream: isOnStream))
        if let body { play.tell(.requestBody(body)) }
        play.tell(.requestEnd)
        return play
    }

    /// A WebSocket on connections of HTTP/1.1, or on streams of HTTP/2 on both sides.
    static func webSocket(isStream: Bool = false) -> Playbook {
        guard isStream else {
            var play = Playbook.sent(webSocketRequest: .upgrade)
            play.tell(.switched)
            return play
        }
        var play = Playbook("CONNECT", isStream: true, webSocketRequest: .extendedConnect)
        play.tell([.request, .upstreamReady(isReused: false, isStream: true)])
        play.tell([.response(200), .responsePaused])
        return play
    }

    /// A request whose response is complete before it is.
    static func early() -> Playbook {
        var play = Playbook("POST")
        play.tell([.request, .upstreamReady(isReused: false), .requestBody("one"), .response(413), .responseEnd])
        return play
    }
}

extension Fact {
    static func requestBody(_ text: String) -> Fact { .requestBody(ByteBuffer(string: text)) }
    static func responseBody(_ text: String) -> Fact { .responseBody(ByteBuffer(string: text)) }
    static func response(_ code: Int, _ framing: BodyFraming = .chunked) -> Fact {
        .response(Playbook.head(code, framing))
    }
    /// A connection of HTTP/1.1 goes on as a WebSocket.
    static var switched: Fact {
        let raw = ByteBuffer(string: "HTTP/1.1 101 x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
        let fields = HeaderList(head: raw)
        return .switched(ResponseHead(raw: raw, code: 101, version: .http11, fields: fields, framing: .untilClose))
    }
    static func interim(_ code: Int) -> Fact { .interim(Playbook.head(code)) }
    static func upstreamBroken(_ cause: Cause) -> Fact { .upstreamBroken(Playbook.failure(cause)) }
    static func closed(_ sides: MessageSide...) -> Fact {
        .frames(
            WebSocketFrames(isRequestClosed: sides.contains(.request), isResponseClosed: sides.contains(.response))
        )
    }
    static var requestEnd: Fact { .requestEnd(nil) }
    static var responseEnd: Fact { .responseEnd(nil) }
    static func upstreamOver(_ cause: Cause, isWithinMessage: Bool = false) -> Fact {
        .upstreamOver(Playbook.failure(cause, phase: .receive), isWithinMessage: isWithinMessage)
    }
    /// A reset of the upstream's stream, which cuts nothing.
    static func upstreamReset(_ failure: ExchangeFailure) -> Fact { .upstreamReset(failure, isCut: false) }
    static var clientLeft: Fact { .clientOver(Playbook.failure(.closed, side: .client, phase: .deliver)) }
}
