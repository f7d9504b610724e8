import NIOCore
import NIOEmbedded
import Traffic

@testable import Proxy

/// What a codec makes of the bytes of a connection, as lines that can be compared.
final class CodecTranscript: ChannelInboundHandler {
    typealias InboundIn = MessagePart

    private var lines: [String] = []
    private var body: [UInt8] = []
    private var atEnd: () -> Void = {}

    /// Reads requests, each begun as soon as the one before has ended.
    ///
    /// - Parameters:
    ///   - bytes: what the client sends.
    ///   - pieceBytes: how many of them come at a time.
    ///   - closes: whether the client closes after them.
    ///   - limits: of a head.
    /// - Returns: a line for each head, body, end and refusal.
    /// - Throws: what the channel of the test does.
    static func requests(
        _ bytes: [UInt8],
        pieceBytes: Int = .max,
        closes: Bool = false,
        limits: HeadLimits = HeadLimits()
    ) throws -> [String] {
        let codec = HTTP1Codec(role: .requests, limits: limits)
        return try run(codec, bytes, pieceBytes, closes) { codec.resume() }
    }

    /// Reads the response to a request of this method, and the next ones to the same.
    static func responses(
        to method: String,
        _ bytes: [UInt8],
        pieceBytes: Int = .max,
        closes: Bool = false,
        limits: HeadLimits = HeadLimits()
    ) throws -> [String] {
        let codec = HTTP1Codec(role: .responses, limits: limits)
        codec.expectResponse(to: method)
        return try run(codec, bytes, pieceBytes, closes) {}
    }

    private static func run(
        _ codec: HTTP1Codec,
        _ bytes: [UInt8],
        _ pieceBytes: Int,
        _ closes: Bool,
        atEnd: @escaping () -> Void
    ) throws -> [String] {
        let transcript = CodecTranscript()
        transcript.atEnd = atEnd
        let channel = EmbeddedChannel(handlers: [codec, transcript])
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        var start = 0
        while start < bytes.count {
            let end = start + min(pieceBytes, bytes.count - start)
            try channel.writeInbound(ByteBuffer(bytes: bytes[start..<end]))
            start = end
        }
        if closes { channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed) }
        transcript.tellBody()
        _ = try channel.finish(acceptAlreadyClosed: true)
        return transcript.lines
    }

    /// What came so far.
    var told: [String] {
        tellBody()
        return lines
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .request(let head):
            lines.append("request \(head.method) \(head.targetText) \(head.version.rawValue) \(head.framing)")
        case .response(let head): lines.append("response \(head.code) \(head.framing)")
        case .body(let bytes): body += bytes.readableBytesView
        case .end(let trailers):
            tellBody()
            lines.append("end" + (trailers.map { " \(String(buffer: $0).debugDescription)" } ?? ""))
            atEnd()
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // How many bytes too many have come by then depends on the pieces.
        if event is ExtraBytes { lines.append("extra bytes") }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        tellBody()
        guard let malformed = error as? MalformedMessage else { return lines.append("error \(error)") }
        lines.append("refused \(malformed.problem.code) \(malformed.problem.cause)")
    }

    private func tellBody() {
        if !body.isEmpty { lines.append("body \(String(decoding: body, as: UTF8.self).debugDescription)") }
        body = []
    }
}
