import NIOCore
import Traffic

/// The close frames with which a proxy that stops ends a WebSocket, to each side in the name of the other.
struct GoingAway {
    /// The frame for the upstream; `nil` where none may follow what the client has sent: in the midst of another frame, or among bytes that are none.
    var request: ByteBuffer?
    /// The frame for the client; `nil` where none may follow what the upstream has sent.
    var response: ByteBuffer?

    /// Makes the frames for the sides that have a place for one.
    init(mayFollow: (MessageSide) -> Bool) {
        request = mayFollow(.request) ? Self.frame(isMasked: true) : nil
        response = mayFollow(.response) ? Self.frame(isMasked: false) : nil
    }

    /// A close frame that says that its sender goes away (RFC 6455 §7.4.1); a client masks what it sends (RFC 6455 §5.3).
    private static func frame(isMasked: Bool) -> ByteBuffer {
        let mask = isMasked ? UInt16.random(in: .min ... .max) : 0
        var frame = ByteBuffer()
        frame.writeInteger(isMasked ? 0x8882 : 0x8802, as: UInt16.self)
        // The last two of the mask's four bytes have nothing to mask.
        if isMasked { frame.writeInteger(UInt32(mask) << 16) }
        frame.writeInteger(1_001 ^ mask)
        return frame
    }
}
