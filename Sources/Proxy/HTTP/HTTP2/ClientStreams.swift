import DequeModule

/// Tracks which of its streams a client has ended: HEADERS on such a stream are an error of type STREAM_CLOSED (RFC 9113 §5.1).
///
/// The library answers such HEADERS with PROTOCOL_ERROR, and tells us why only after it has written that. So `FrameSplitter` corrects the code on
/// its way out.
///
/// HEADERS on a stream that we reset before the client had ended it are no error: the client may have sent them before it saw the reset, and they
/// should be ignored (RFC 9113 §5.1). The library ends the connection over them, with every other stream. We cannot withhold them from it, since its
/// HPACK table needs their fields; so GOAWAY and the record say that this end is at fault.
///
/// The sets are bounded by the streams that a client may have open, and by `resetLimitCount`: the library ends a connection on which more streams
/// begin, or on which HEADERS come for another closed stream.
struct ClientStreams {
    /// Who is at fault where the library ends the connection with PROTOCOL_ERROR.
    enum Fault {
        /// The client, which broke another rule.
        case protocolError
        /// The client, which sent HEADERS on a stream that was over.
        case streamClosed
        /// We are: what the client sent crossed our reset of its stream.
        case crossedReset
    }

    /// The most streams whose reset by us a client may not have seen yet.
    ///
    /// The library remembers as many, and ignores DATA on these.
    private static let resetLimitCount = 32

    /// The streams that were begun, and neither ended by the client nor reset.
    private var unended: Set<UInt32> = []
    /// The streams on which HEADERS came after the end, until the reset that answers them leaves; it may wait for room in the connection.
    private var late: Set<UInt32> = []
    /// The stream of such HEADERS while they are the last frame that came: what the library says of the whole connection, it says at once.
    private var answering: UInt32?
    /// The streams that were reset before their client had ended them, the latest last.
    private var resetByUs: Deque<UInt32> = []
    /// The lowest number that no stream has had.
    private var next: UInt32 = 1
    /// Whether the client has skipped no number, so that every lower one is of a stream that was.
    private var isGapless = true
    /// The stream of a field section that is not whole yet, where any other frame ends the connection, whatever it is (RFC 9113 §6.2).
    private var section: UInt32?

    /// The highest number of a stream that was begun; 0 where none was.
    var last: UInt32 { next > 1 ? next - 2 : 0 }

    /// Whether the library has to have answered what came before a frame, since it may need another code than what comes with the frame.
    func isApart(_ frame: HTTP2FrameHeader) -> Bool { section == nil && (answering != nil || isLate(frame)) }

    /// Notes a frame that comes.
    mutating func take(_ frame: HTTP2FrameHeader) {
        let goesOn = frame.type == HTTP2FrameHeader.continuation && frame.streamID == section
        guard section == nil || goesOn else { return }
        if section == nil { answering = isLate(frame) ? frame.streamID : nil }
        switch frame.type {
        case HTTP2FrameHeader.data: if frame.endsStream { unended.remove(frame.streamID) }
        case HTTP2FrameHeader.continuation: if frame.endsFields { section = nil }
        case HTTP2FrameHeader.headers:
            if !frame.endsFields { section = frame.streamID }
            if let answering { late.insert(answering) } else { begin(frame) }
        case HTTP2FrameHeader.resetStream: unended.remove(frame.streamID)
        default: break
        }
    }

    /// Notes HEADERS that begin a stream, or end one.
    private mutating func begin(_ frame: HTTP2FrameHeader) {
        guard Self.isClients(frame.streamID) else { return }
        if frame.streamID >= next {
            if frame.streamID > next { isGapless = false }
            next = frame.streamID + 2
            if !frame.endsStream { unended.insert(frame.streamID) }
        } else if frame.endsStream {
            unended.remove(frame.streamID)
        }
    }

    private func isLate(_ frame: HTTP2FrameHeader) -> Bool {
        frame.type == HTTP2FrameHeader.headers && Self.isClients(frame.streamID) && frame.streamID < next
            && !unended.contains(frame.streamID)
    }

    /// Whether a number is of a client's streams; HEADERS on any other end the connection with PROTOCOL_ERROR (RFC 9113 §5.1.1, §6.2).
    private static func isClients(_ stream: UInt32) -> Bool { stream % 2 == 1 }

    /// Whose fault PROTOCOL_ERROR in GOAWAY is that leaves now; HEADERS on a number that was skipped are that error (RFC 9113 §5.1.1).
    var fault: Fault {
        guard section == nil, let answering else { return .protocolError }
        if resetByUs.contains(answering) { return .crossedReset }
        return isGapless ? .streamClosed : .protocolError
    }

    /// Notes a reset that leaves.
    ///
    /// - Returns: whether PROTOCOL_ERROR in it is about HEADERS behind the end of the stream.
    mutating func reset(_ frame: HTTP2FrameHeader) -> Bool {
        if unended.remove(frame.streamID) != nil {
            if resetByUs.count == Self.resetLimitCount { resetByUs.removeFirst() }
            resetByUs.append(frame.streamID)
        }
        return late.remove(frame.streamID) != nil
    }
}
