import NIOCore
import Traffic

/// A fact that the state machine is told: each once, in the order they happened.
enum Fact {
    /// A request was read and may go upstream.
    case request
    /// The next bytes of the request's content.
    case requestBody(ByteBuffer)
    /// The request is complete.
    case requestEnd(ByteBuffer?)
    /// The request is not to be sent, or broke the rules half-way: the proxy answers.
    case refused(ExchangeFailure)
    /// A connection to the upstream is there, or a stream of one.
    case upstreamReady(isReused: Bool, isStream: Bool = false)
    /// The client may not have the connection any more that was made for it.
    case upstreamOutdated
    /// No connection to the upstream could be had; `offersLess` when the upstream was offered HTTP/1.1 alone.
    case upstreamUnavailable(ExchangeFailure, offersLess: Bool = false)
    /// An interim response came.
    case interim(ResponseHead)
    /// The final response begins; one that opens a WebSocket on a stream is followed by the WebSocket's frames.
    case response(ResponseHead)
    /// What the frames of the WebSocket that came so far say of its end.
    case frames(WebSocketFrames)
    /// The upstream switched protocols: where the request asked for a WebSocket, both sides send its frames from here on, until they end.
    case switched(ResponseHead)
    /// The next bytes of the response's content.
    case responseBody(ByteBuffer)
    /// The response is complete.
    case responseEnd(ByteBuffer?)
    /// Nothing more of the upstream can be read at this moment.
    case responsePaused
    /// The client's connection has taken all content of a response that has not ended; its window allowed that.
    case contentSent
    /// The response is complete and the record has it, while the request goes on.
    case responseRecorded
    /// The upstream's connection is over: it ended or broke.
    ///
    /// `isWithinHead` when a part of a response's head had come, and not the whole of it; `isWithinMessage` when a part of a WebSocket's message had.
    case upstreamOver(ExchangeFailure, isWithinHead: Bool = false, isWithinMessage: Bool = false)
    /// The upstream spoke nonsense, or what stands in its place has no answer.
    case upstreamBroken(ExchangeFailure)
    /// The upstream's stream was reset; `retry` of the failure says whether it had not begun with the request.
    ///
    /// `isCut` when the upstream had sent a part of a WebSocket's message, or broke the rules.
    case upstreamReset(ExchangeFailure, isCut: Bool)
    /// A rule refuses the request without an answer, or breaks it or its response off; `isReset` when the client's connection is to be reset, and not to be
    /// ended properly.
    case blocked(ExchangeFailure, isReset: Bool)
    /// The client's connection is over.
    case clientOver(ExchangeFailure)
    /// The client wants no more: it reset its stream without an error, or stopped half-way through its request.
    case clientCancelled(ExchangeFailure)
    /// The client reset its stream with an error, broke the rules on it, or is to have a break in place of a response.
    case clientGone(ExchangeFailure)
    /// The record is committed, or could not be.
    case recorded
    /// A wait has lasted too long.
    case deadline(Deadline)
    /// The exchange is not to go on, though neither side has done anything wrong.
    case givenUp(ExchangeFailure)
    /// The proxy is about to stop: a WebSocket is closed with these frames.
    case stopping(GoingAway, now: NIODeadline)
}
