import NIOCore
import Traffic

/// Finds the close frame in one direction of a WebSocket, ahead of the reader of its messages, which has to wait; reads each byte once.
struct WebSocketCloseReader {
    /// The close code of the first close frame, 1005 where it had none (RFC 6455 §7.1.5); `nil` before one came.
    private(set) var closeCode: Int?

    private var frames: WebSocketFrameReader
    /// Of the frame that is coming.
    private var opcode: WebSocketOpcode?
    private var payload: KeptPayload
    /// Whether the search is over: the frame was found, or the bytes are no WebSocket.
    private var isOver = false

    /// - Parameters:
    ///   - frames: the state of the reader of messages.
    ///   - opcode: the opcode of the frame that the reader is within; `nil` between frames.
    ///   - payload: the bytes of that frame so far, where it is a control frame.
    init(_ frames: WebSocketFrameReader, opcode: WebSocketOpcode?, payload: KeptPayload?) {
        self.frames = frames
        self.opcode = opcode
        self.payload = payload ?? Self.noPayload
    }

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
                opcode = header.opcode
                payload = Self.noPayload
            case .payload(let piece): if opcode == .close { payload.take(piece) }
            case .end:
                guard opcode == .close else { continue }
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
