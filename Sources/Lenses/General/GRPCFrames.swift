import Traffic

/// The length-prefixed messages of a gRPC body (gRPC over HTTP/2, "Length-Prefixed-Message").
///
/// A message may be as short as five bytes, so a body may hold very many: only the first are held, and the rest is counted.
struct GRPCFrames {
    /// One message.
    struct Frame {
        /// The first byte: 1 for a compressed message, 0x80 for the trailers of gRPC-Web.
        let flags: UInt8
        /// The length that the prefix tells.
        let length: Int
        /// The bytes of the message that the body holds, as they passed.
        let bytes: [UInt8]

        var isCompressed: Bool { flags & 1 != 0 }
        /// Whether the first byte is one that no message may have.
        var isOdd: Bool { flags > 1 }
    }

    /// The most messages that are held.
    static let heldLimit = 20
    /// The most bytes that the shown messages of a body decompress to: a message could grow a thousandfold.
    static let decodedLimitBytes = 4 << 20

    /// The first messages, trailers left out.
    private(set) var frames: [Frame] = []
    /// The count of all messages, trailers left out.
    private(set) var count = 0
    /// The last trailers of gRPC-Web; `nil` where the body has none.
    private(set) var trailers: Frame?
    /// The count of bytes after the last whole prefix.
    let rest: Int

    /// Splits a body into its messages.
    ///
    /// - Parameters:
    ///   - body: the bytes.
    ///   - type: its media type; a body of gRPC-Web may be in base64, and only such a body has trailers among its messages.
    init(_ body: [UInt8], type: String?) {
        let isWeb = type?.hasPrefix("application/grpc-web") == true
        let isText = type?.hasPrefix("application/grpc-web-text") == true
        let bytes = isText ? GRPCFrames.fromBase64(body) : body
        var position = 0
        while position + 5 <= bytes.count {
            let length = bytes[position + 1..<position + 5].reduce(0) { $0 << 8 | Int($1) }
            let end = min(position + 5 + length, bytes.count)
            let isTrailers = isWeb && bytes[position] & StreamMessage.grpcTrailers != 0
            if !isTrailers { count += 1 }
            if isTrailers || frames.count < GRPCFrames.heldLimit {
                let frame = Frame(flags: bytes[position], length: length, bytes: Array(bytes[position + 5..<end]))
                if isTrailers { trailers = frame } else { frames.append(frame) }
            }
            position = end
        }
        rest = bytes.count - position
    }

    /// A message's payload, decompressed by the `grpc-encoding` of its side; `nil` where that fails.
    ///
    /// The payload's length is taken off `leftBytes`, which also bounds it.
    static func payload(_ frame: Frame, encoding: String?, leftBytes: inout Int) -> [UInt8]? {
        guard frame.isCompressed else { return frame.bytes }
        guard let encoding, encoding != "identity" else { return nil }
        let decoder = ContentDecoder(names: [encoding], limitBytes: leftBytes)
        guard !decoder.isIdentity else { return nil }
        var bytes: [UInt8] = []
        decoder.write(frame.bytes) { bytes.append(contentsOf: $0) }
        decoder.finish(isWhole: true) { bytes.append(contentsOf: $0) }
        leftBytes -= decoder.length
        return decoder.problem == nil ? bytes : nil
    }

    /// Decodes pieces of base64 after one another, each with its own padding; leaves out any four characters that are no base64.
    private static func fromBase64(_ body: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(body.count / 4 * 3)
        for start in stride(from: 0, to: body.count - body.count % 4, by: 4) {
            let piece = body[start..<start + 4]
            let content = piece.prefix { $0 != UInt8(ascii: "=") }
            let isPadded = content.count >= 2 && piece.suffix(4 - content.count).allSatisfy { $0 == UInt8(ascii: "=") }
            let values = content.compactMap(sextet)
            guard isPadded, values.count == content.count else { continue }
            let bits = values.reduce(UInt32(0)) { $0 << 6 | UInt32($1) } << UInt32(6 * (4 - values.count))
            for shift in [16, 8, 0].prefix(values.count - 1) {
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(shift)))
            }
        }
        return bytes
    }

    /// The six bits of a character of base64 (RFC 4648 §4); `nil` for any other byte.
    private static func sextet(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
