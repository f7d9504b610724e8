import NIOCore
import NIOHTTP2
import Traffic

/// The exchange that a client connection is busy with: its rules, its record, its marks in time.
///
/// A class: it is looked at for every fact and effect, and a copy of a record is some forty references.
final class LiveExchange {
    /// Unique in one run; tells facts about this exchange from facts about the one before.
    let token: CaptureToken
    var machine: ExchangeStateMachine
    var tap: CaptureTap
    /// `nil` when the request could not be read.
    let head: RequestHead?
    let route: RequestRoute?
    var key: UpstreamKey?
    var upstream: UpstreamHandler?
    /// What gives the search for a connection up; `nil` while there is none.
    var search: Dial?
    /// Whom to ask for the answer in the upstream's place; `nil` where there is one.
    var source: (any AnswerSource)?
    /// What takes the upstream's place; `nil` where there is one.
    var supplied: SuppliedExchange?
    /// A stream for an extended CONNECT whose connection has yet to say whether it takes one; `nil` where none is waited for.
    var unsettled: UpstreamHandler?
    /// Whether the upstream's connection may carry another exchange after this one.
    var isUpstreamReusable = false
    /// Whether the client's connection may carry another exchange after this one.
    var persists: Bool
    /// Whether the exchange has become a WebSocket.
    var isSwitched = false
    /// The side of the WebSocket that ended first.
    var endedFirst: MessageSide?
    /// Whether the upstream's side of the WebSocket has ended.
    var hasUpstreamEnded = false
    /// When a proxy that stops has closed the WebSocket, behind which it passes nothing on; `nil` where it has not.
    var closed: NIODeadline?
    /// Whether a proxy that stops has left it, so that both connections end without a break.
    var isLeft = false
    /// The response's head as the client gets it.
    var responsePart: WirePart?
    /// When all of a stream's response is written that was delivered before its request ended.
    var delivered: EventLoopFuture<Void>?
    /// The code with which one side reset its stream, for the other side's.
    var resetCode: HTTP2ErrorCode?
    /// The code that the client's stream is reset with though it may have an answer: its request was malformed (RFC 9113 §8.1.1).
    var breachCode: HTTP2ErrorCode?
    /// The proxy's own answer, once it is made.
    var answer: OwnAnswer?
    /// The status code of the proxy's own answer, where the failure does not say.
    var answerCode: Int?

    /// Marks on the monotonic clock.
    let began: NIODeadline
    var ready: NIODeadline?
    var requestEnded: NIODeadline?
    var firstByte: NIODeadline?
    var held: NIODeadline?
    /// When the record was told of a response that is complete before its request; `nil` where that is not waited for.
    var answering: NIODeadline?
    /// The last byte either way.
    var active: NIODeadline
    /// When a look last found that we read nothing of what is awaited: its client does not read, or the record is paused.
    var paused: NIODeadline
    /// Whether the upstream takes what it is sent.
    var sending: SocketProgress

    init(
        token: CaptureToken,
        machine: ExchangeStateMachine,
        tap: CaptureTap,
        head: RequestHead?,
        route: RequestRoute?,
        key: UpstreamKey?,
        persists: Bool,
        began: NIODeadline
    ) {
        self.token = token
        self.machine = machine
        self.tap = tap
        self.head = head
        self.route = route
        self.key = key
        self.persists = persists
        self.began = began
        active = began
        paused = began
        sending = SocketProgress(since: began)
    }

    /// Whether the client sends more than a head.
    var hasContent: Bool { isSwitched || head.map { $0.framing != .none } ?? false }

    /// Whether the client's request of HTTP/1.1 for a WebSocket was sent on a stream of HTTP/2, and is not answered yet.
    var isOpeningOnStream: Bool { !isSwitched && upstream?.isStream == true && head?.asksForWebSocket == true }

    /// Whether only a last word is missing that changes nothing: the end of a stream whose content is whole, or a WebSocket client's close frame.
    ///
    /// What takes an upstream's place always ends what it gives.
    var awaitsLastWord: Bool { (machine.lacksEnd && supplied == nil) || awaitsClientsLastWord }

    /// Whether that is the client's close frame.
    var awaitsClientsLastWord: Bool { isSwitched && machine.isEarly }

    /// Fills in the phases that are over at `now`.
    func time(at now: NIODeadline, isFinal: Bool) {
        if let ready {
            let setUp = [tap.exchange.timeline.dns, tap.exchange.timeline.connect, tap.exchange.timeline.tls].compactMap
            { $0 }.reduce(0, +)
            tap.exchange.timeline.blocked = max((ready - began).microseconds - setUp, 0)
            let sent = min(requestEnded ?? now, firstByte ?? now)
            tap.exchange.timeline.send = max((sent - ready).microseconds, 0)
            if let firstByte {
                tap.exchange.timeline.wait = max((firstByte - max(sent, ready)).microseconds, 0)
                tap.exchange.timeline.receive = max((now - firstByte).microseconds, 0)
            }
        }
        if isFinal { tap.exchange.timeline.duration = (now - began).microseconds }
    }
}
