import NIOCore
import Traffic

/// What the state machine is told, each thing once, in the order it happened.
enum Fact {
    /// A request was read and may go upstream.
    case request
    /// The next bytes of the request's content.
    case requestBody(ByteBuffer)
    /// The request is complete.
    case requestEnd(ByteBuffer?)
    /// The client's request is not to be sent, or broke the rules half-way: the proxy answers.
    case refused(ExchangeFailure)
    /// A connection to the upstream is there, or a stream of one.
    case upstreamReady(isReused: Bool, isStream: Bool = false)
    /// No connection to the upstream could be had.
    case upstreamUnavailable(ExchangeFailure)
    /// An interim response came.
    case interim(ResponseHead)
    /// The final response begins.
    case response(ResponseHead)
    /// The upstream switched to the protocol that a complete request asked for: from here on both sides send content until they end.
    case switched
    /// The next bytes of the response's content.
    case responseBody(ByteBuffer)
    /// The response is complete.
    case responseEnd(ByteBuffer?)
    /// Nothing more of the upstream can be read at this moment.
    case responsePaused
    /// The response is complete and the record has it, or is not waited for any longer, while the request goes on.
    case responseRecorded
    /// What only says that all is over did not come in time, or will not: the end of a stream whose content is whole, or a WebSocket client's close
    /// frame.
    case lastWordOverdue
    /// The upstream's connection broke, timed out or spoke nonsense.
    case upstreamBroken(ExchangeFailure)
    /// The upstream reset its stream; the failure says with `retry` whether it had not begun with the request.
    case upstreamReset(ExchangeFailure)
    /// The client is gone, or stopped half-way through its request.
    case clientGone(ExchangeFailure)
    /// The record is committed, or is not waited for any longer.
    case recorded
}

/// What the shell must do, in order.
enum Effect {
    /// Get a connection to the upstream; `isFresh` forbids a used one. Leads to `upstreamReady` or `upstreamUnavailable`.
    case connect(isFresh: Bool)
    /// Write the request's head upstream.
    case sendHead
    /// Write content upstream.
    case send(ByteBuffer)
    /// End the request upstream.
    case sendEnd(ByteBuffer?)
    /// Flush what was written upstream.
    case flushUpstream
    /// Write an interim response to the client and flush it.
    case deliverInterim(ResponseHead)
    /// Write the final response's head to the client.
    case deliverHead
    /// Write content to the client.
    case deliverBody(ByteBuffer)
    /// End the response to the client.
    case deliverEnd(ByteBuffer?)
    /// Write the proxy's own answer to the client, whole.
    case deliverAnswer
    /// Flush what was written to the client.
    case flushClient
    /// Tell the record of a response that is complete before its request; leads to `responseRecorded`.
    case recordResponse
    /// Hand the finished record over; leads to `recorded`.
    case record(Outcome, ExchangeFailure?)
    /// The upstream's connection is free for another exchange.
    case releaseUpstream
    /// The upstream's connection is of no more use.
    case dropUpstream
    /// Flush what was written to the client, and the exchange is over; `isWhole` when the client's request was read to its end, so that another may
    /// follow.
    case finish(isWhole: Bool)
    /// The exchange is over and the client must see that its response is not whole.
    case breakClient
}
