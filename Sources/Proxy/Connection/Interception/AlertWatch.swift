import NIOCore
import Traffic

/// Reads what is in the clear of a client's handshake: the alert with which it refuses our certificate, and the cipher suite that we chose.
///
/// With TLS 1.3 some clients (OpenSSL's) refuse before they have switched to encryption, and the TLS library, which expects encrypted records
/// by then, reports only that a record was too short. This handler sits before it while the handshake lasts.
final class AlertWatch: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The last alert seen.
    private(set) var alert: Cause?
    /// Whether we have sent anything; before that a client cannot have judged our certificate.
    private(set) var hasAnswered = false
    private var hello = ServerHelloReader()
    /// The cipher suite of our ServerHello.
    var cipher: String? { hello.cipher }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        look(unwrapInboundIn(data))
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        hasAnswered = true
        if !hello.isDone { hello.take(unwrapOutboundIn(data)) }
        context.write(data, promise: promise)
    }

    /// Finds an alert in the records of one read: it comes in a read of its own, or after a change of cipher.
    private func look(_ bytes: ByteBuffer) {
        var records = bytes
        while let type = records.readInteger(as: UInt8.self), records.readInteger(as: UInt16.self) != nil,
            let length = records.readInteger(as: UInt16.self), var record = records.readSlice(length: Int(length))
        {
            guard type == 0x15, length == 2, record.readInteger(as: UInt8.self) != nil,
                let description = record.readInteger(as: UInt8.self)
            else { continue }
            alert = .alert(description)
        }
    }

    /// The alert of a server that has no protocol in common with its client (RFC 7301 §3.2).
    static let noApplicationProtocol: UInt8 = 120

    /// The alert of a server that does not know the requested name (RFC 6066 §3).
    static let unrecognizedName: UInt8 = 112
}
