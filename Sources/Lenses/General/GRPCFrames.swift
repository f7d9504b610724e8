import Foundation
import Traffic

/// The length-prefixed messages of a gRPC body (gRPC over HTTP/2, "Length-Prefixed-Message").
struct GRPCFrames {
    /// One message.
    struct Frame {
        /// The first byte: 1 for compressed, 0x80 for the trailers of gRPC-Web.
        let flags: UInt8
        /// The length that its prefix tells.
        let length: Int
        /// What is there of it, as it passed.
        let bytes: [UInt8]

        var isCompressed: Bool { flags & 1 != 0 }
        var isTrailers: Bool { flags & StreamMessage.grpcTrailers != 0 }
    }

    /// Bytes that one message decompresses to at most, for being shown.
    private static let decodedLimitBytes = 4 << 20

    let frames: [Frame]
    /// Bytes after the last whole prefix.
    let rest: Int

    /// Takes a body apart.
    ///
    /// - Parameters:
    ///   - body: the bytes.
    ///   - type: its media type, since gRPC-Web also has a form in base64.
    init(_ body: [UInt8], type: String?) {
        let isText = type?.hasPrefix("application/grpc-web-text") == true
        let bytes = isText ? GRPCFrames.fromBase64(body) : body
        var frames: [Frame] = []
        var position = 0
        while position + 5 <= bytes.count {
            let length = bytes[position + 1..<position + 5].reduce(0) { $0 << 8 | Int($1) }
            let end = min(position + 5 + length, bytes.count)
            frames.append(Frame(flags: bytes[position], length: length, bytes: Array(bytes[position + 5..<end])))
            position = end
        }
        self.frames = frames
        rest = bytes.count - position
    }

    /// A message's payload, decompressed as its side's `grpc-encoding` says; `nil` where that cannot be done.
    static func payload(_ frame: Frame, encoding: String?) -> [UInt8]? {
        guard frame.isCompressed else { return frame.bytes }
        guard let encoding, encoding != "identity" else { return nil }
        let decoder = ContentDecoder(names: [encoding], limitBytes: decodedLimitBytes)
        guard !decoder.isIdentity else { return nil }
        var bytes: [UInt8] = []
        decoder.write(frame.bytes) { bytes.append(contentsOf: $0) }
        decoder.finish(isWhole: true) { bytes.append(contentsOf: $0) }
        return decoder.problem == nil ? bytes : nil
    }

    /// Pieces of base64 after one another, each with its own padding.
    private static func fromBase64(_ body: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        var piece: [UInt8] = []
        for byte in body {
            piece.append(byte)
            if piece.count == 4 {
                bytes += Foundation.Data(base64Encoded: Foundation.Data(piece)) ?? Foundation.Data()
                piece.removeAll(keepingCapacity: true)
            }
        }
        return bytes
    }
}
