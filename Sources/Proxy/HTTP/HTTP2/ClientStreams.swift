/// Knows which of its streams a client has ended: HEADERS on one of them are an error of type STREAM_CLOSED (RFC 9113 §5.1).
///
/// The library answers such HEADERS with PROTOCOL_ERROR, and tells us why only after it has written that. So `FrameSplitter` corrects the code as it leaves.
///
/// The sets hold no more streams than a client may have open: the library ends a connection on which more begin, or on which HEADERS come for a closed
/// stream.
struct ClientStreams {
    /// Begun, and neither ended by the client nor reset.
    private var unended: Set<UInt32> = []
    /// Those on which HEADERS came behind the end, until the library has answered.
    private var late: Set<UInt32> = []
    /// The lowest number of which no stream has begun.
    private var next: UInt32 = 1
    /// Whether the client has skipped no number, so that every lower one is of a stream that was.
    private var isGapless = true
    /// The stream of a field section that is not whole yet, where any other frame ends the connection, whatever it is (RFC 9113 §6.2).
    private var section: UInt32?

    /// Takes note of a frame that comes.
    ///
    /// - Returns: whether it is HEADERS behind the end of the stream.
    mutating func take(_ frame: HTTP2FrameHeader) -> Bool {
        let goesOn = frame.type == HTTP2FrameHeader.continuation && frame.streamID == section
        guard section == nil || goesOn else { return false }
        switch frame.type {
        case HTTP2FrameHeader.data: if frame.endsStream { unended.remove(frame.streamID) }
        case HTTP2FrameHeader.continuation: if frame.endsFields { section = nil }
        case HTTP2FrameHeader.headers:
            if !frame.endsFields { section = frame.streamID }
            // No other number is of a client's streams, and HEADERS on one end the connection with PROTOCOL_ERROR (RFC 9113 §5.1.1, §6.2).
            guard frame.streamID % 2 == 1 else { return false }
            if frame.streamID >= next {
                if frame.streamID > next { isGapless = false }
                next = frame.streamID + 2
                if !frame.endsStream { unended.insert(frame.streamID) }
            } else if !unended.contains(frame.streamID) {
                return true
            } else if frame.endsStream {
                unended.remove(frame.streamID)
            }
        case HTTP2FrameHeader.resetStream: unended.remove(frame.streamID)
        default: break
        }
        return false
    }

    /// Expects the library to answer HEADERS behind the end of the stream.
    mutating func expectAnswer(to frame: HTTP2FrameHeader) { late.insert(frame.streamID) }

    /// Whether GOAWAY with PROTOCOL_ERROR is about HEADERS on a closed stream; on a number that was skipped they are that error (RFC 9113 §5.1.1).
    var isOnClosed: Bool { isGapless && !late.isEmpty }

    /// Takes note of a reset that leaves.
    ///
    /// - Returns: whether PROTOCOL_ERROR in it is about HEADERS behind the end of the stream.
    mutating func reset(_ frame: HTTP2FrameHeader) -> Bool {
        unended.remove(frame.streamID)
        return late.remove(frame.streamID) != nil
    }
}
