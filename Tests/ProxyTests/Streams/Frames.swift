import NIOCore
import Traffic

@testable import Proxy

/// Makes WebSocket frames by the RFC's layout, and reads streams of them in pieces.
enum Frames {
    /// One frame.
    static func frame(
        _ opcode: UInt8,
        _ payload: [UInt8],
        isFinal: Bool = true,
        reserved: UInt8 = 0,
        mask: [UInt8]? = nil
    ) -> [UInt8] {
        var bytes: [UInt8] = [(isFinal ? 0x80 : 0) | reserved | opcode]
        let flag: UInt8 = mask == nil ? 0 : 0x80
        switch payload.count {
        case ..<126: bytes.append(flag | UInt8(payload.count))
        case ..<65_536: bytes += [flag | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        default:
            bytes.append(flag | 127)
            bytes += (0..<8).map { UInt8(truncatingIfNeeded: payload.count >> (56 - $0 * 8)) }
        }
        guard let mask else { return bytes + payload }
        return bytes + mask + payload.enumerated().map { $0.element ^ mask[$0.offset % 4] }
    }

    /// Reads bytes in pieces of at most `step`, and ends the stream if asked to.
    static func read(
        _ bytes: [UInt8],
        with reader: inout WebSocketMessageReader,
        step: Int = .max,
        isEnded: Bool = false
    ) -> [StreamMessage] {
        var messages: [StreamMessage] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            reader.read(ByteBuffer(bytes: rest.prefix(step)), time: 7) { messages.append($0) }
            rest = rest.dropFirst(step)
        }
        if isEnded { reader.finish(time: 7) { messages.append($0) } }
        return messages
    }
}

extension WebSocketMessageReader {
    /// A reader without compression.
    static func plain(_ side: MessageSide = .response, keptBytes: Int = 1 << 20) -> WebSocketMessageReader {
        WebSocketMessageReader(
            side: side,
            compression: WebSocketCompression(),
            limits: MessageLimits(keptBytes: keptBytes)
        )
    }
}

extension StreamMessage {
    /// Its payload as bytes.
    var bytes: [UInt8] { Array(payload.readableBytesView) }
}

extension WebSocketCompression {
    /// What a 101 with this field agrees on.
    init(_ field: String) {
        self.init(
            extensions: HeaderList(
                head: ByteBuffer(string: "HTTP/1.1 101 S\r\nSec-WebSocket-Extensions: \(field)\r\n\r\n")
            )
        )
    }
}
