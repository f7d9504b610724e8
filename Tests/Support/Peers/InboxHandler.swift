import NIOCore
import NIOTLS

/// Puts what comes on a `RawClient`'s connection into its inbox.
final class InboxHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let inbox: Watched<RawClient.Inbox>

    init(inbox: Watched<RawClient.Inbox>) {
        self.inbox = inbox
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        inbox.update { $0.unread += bytes.readableBytesView }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event { inbox.update { $0.isEnded = true } }
        if case TLSUserEvent.handshakeCompleted(let agreed) = event {
            inbox.update {
                $0.isSecure = true
                $0.agreedProtocol = agreed
            }
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        inbox.update { $0.isEnded = true }
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        let words = String(describing: error)
        inbox.update {
            $0.error = $0.error ?? words
            $0.isEnded = true
        }
        context.close(promise: nil)
    }
}
