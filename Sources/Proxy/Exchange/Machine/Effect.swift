import NIOCore
import Traffic

/// What the shell must do, in order.
enum Effect {
    /// Get a connection to the upstream. Leads to `upstreamReady`, `upstreamOutdated` or `upstreamUnavailable`.
    case connect(ConnectAttempt)
    /// Write the request's head upstream.
    case sendHead
    /// Write content upstream.
    case send(ByteBuffer)
    /// End the request upstream.
    case sendEnd(ByteBuffer?)
    /// Say upstream that nothing more is sent on the WebSocket.
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
    /// Say in the record that the upstream did not end its stream, which is of no more use.
    case noteUnsaidEnd
    /// Say in the record that the rest of the request was not read.
    case noteUnreadRest
    /// Say in the record that the proxy has closed the WebSocket.
    case noteClosedWebSocket
    /// Say in the log that the record is behind what passes.
    case noteLate
    /// Hand the finished record over; leads to `recorded`.
    case record(Outcome, ExchangeFailure?)
    /// The upstream's connection is free for another exchange.
    case releaseUpstream
    /// The upstream's connection is of no more use.
    case dropUpstream
    /// The upstream's connection is of no more use, and ends without a break.
    case leaveUpstream
    /// Tell the upstream's connection since when nothing came on it, so that no other exchange waits there as long.
    case reportSilence(since: NIODeadline)
    /// Break the client's end off at once, whatever still waits to be read there.
    case cutOffClient
    /// Flush what was written to the client, and the exchange is over; `isWhole` when the client's request was read to its end, so that another may
    /// follow.
    case finish(isWhole: Bool)
    /// The exchange is over and the client must see that its response is not whole.
    case breakClient
    /// The exchange is over in the midst of a response, and the client's connection ends without a break.
    case leaveClient
}
