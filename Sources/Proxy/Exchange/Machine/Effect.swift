import NIOCore
import Traffic

/// An effect of the state machine: something that the shell must do, in order.
enum Effect {
    /// Get a connection to the upstream. Leads to `upstreamReady`, `upstreamOutdated`, `upstreamUnavailable` or `refused`.
    case connect(ConnectAttempt)
    /// Write the request's head upstream.
    case sendHead
    /// Write content upstream.
    case send(ByteBuffer)
    /// End the request upstream.
    case sendEnd(ByteBuffer?)
    /// End our half of the WebSocket upstream.
    case endOutput
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
    /// Say in the record that the upstream did not end its stream; its connection is of no more use.
    case noteUnsaidEnd
    /// Say in the record that the rest of the request was not read.
    case noteUnreadRest
    /// Say in the record that the client left with a redirect's head, before the rest of it.
    case noteUnreadRedirect
    /// Say in the record how the upstream ended the WebSocket without a close frame.
    case noteUnclosedEnd(ExchangeFailure)
    /// Say in the record that the proxy has closed the WebSocket.
    case noteClosedWebSocket
    /// Count an exchange that does not wait for the record any longer, and say so in the log.
    case noteLate
    /// Finish the record and hand it over, once the client's program is known or not waited for any more; leads to `recorded`.
    ///
    /// Where `isAnswered` the failure has an answer of the proxy's own, which is made first: the record has it too.
    case record(Outcome, ExchangeFailure?, isAnswered: Bool)
    /// Let go of the upstream, whose connection may be free for another exchange.
    case releaseUpstream
    /// Break the upstream's connection or stream off, which is of no more use.
    case dropUpstream
    /// End the upstream's connection without a break, or reset its stream; it is of no more use.
    case leaveUpstream
    /// Tell the upstream's connection since when it is silent, so that no other exchange waits there as long.
    case reportSilence(since: NIODeadline)
    /// Break the client's connection or stream off at once, whatever still waits to be read there.
    case cutOffClient
    /// Flush what was written to the client, and end the exchange; another may follow where `isWhole` says that the request was read to its end.
    case finish(isWhole: Bool)
    /// End the exchange so that the client sees that its response is not whole.
    case breakClient
    /// End the exchange in the midst of its response: end the client's connection without a break, or reset its stream.
    case leaveClient
}
