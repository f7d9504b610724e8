import NIOCore
import Traffic

/// Follows one direction of a WebSocket to its close frame, ahead of the reader of its messages, which has to wait; reads each byte once.
struct WebSocketCloseReader {
    /// The close code of the first close frame, 1005 where it had none (RFC 6455 §7.1.5); `nil` before one came.
    private(set) var closeCode: Int?

    private var frames: WebSocketFrameReader
    /// The header of the frame that is coming.
    private var header: WebSocketFrameReader.Header?
    /// Whether a message has begun, of which the last frame has not ended.
    private var hasBegunMessage: Bool
    private var payload: KeptPayload
    /// Whether the search is over: the frame was found, or the bytes are no WebSocket.
    private var isOver: Bool

    /// - Parameters:
    ///   - frames: the state of the reader of messages.
    ///   - header: the header of the frame that the reader is within; `nil` between frames.
    ///   - payload: the bytes of that frame so far, where it is a control frame.
    ///   - hasBegunMessage: whether the reader is within a message.
    ///   - isOver: whether the reader has come to a close frame, or to bytes that are no WebSocket.
    init(
        _ frames: WebSocketFrameReader,
        header: WebSocketFrameReader.Header?,
        payload: KeptPayload?,
        hasBegunMessage: Bool,
        isOver: Bool
    ) {
        self.frames = frames
        self.header = header
        self.payload = payload ?? Self.noPayload
        self.hasBegunMessage = hasBegunMessage
        self.isOver = isOver
    }

    /// Whether a part of a message or of a frame came last, before any close frame; false where the bytes are no WebSocket.
    var isWithinMessage: Bool { !isOver && (hasBegunMessage || !frames.isBetweenFrames) }

    /// Reads the next bytes.
    mutating func read(_ bytes: ByteBuffer) {
        var rest = bytes
        while !isOver {
            guard let step = try? frames.next(&rest) else {
                isOver = true
                return
            }
            switch step {
            case .more: return
            case .header(let header):
                self.header = header
                payload = Self.noPayload
                if !header.opcode.isControl { hasBegunMessage = true }
            case .payload(let piece): if header?.opcode == .close { payload.take(piece) }
            case .end:
                guard let header else { continue }
                if !header.opcode.isControl { hasBegunMessage = !header.isFinal }
                guard header.opcode == .close else { continue }
                closeCode = payload.closeCode ?? 1_005
                isOver = true
            }
        }
    }

    /// Keeps payload bytes, no more than a close code has.
    private static var noPayload: KeptPayload { KeptPayload(limitBytes: 2) }
}

extension KeptPayload {
    /// The close code that a close frame's payload begins with; `nil` where it is empty.
    var closeCode: Int? { bytes.getInteger(at: bytes.readerIndex, as: UInt16.self).map(Int.init) }
}
