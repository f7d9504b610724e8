import Foundation
import NIOCore

/// Stands next to the socket, so that a close from here is a close of the transport: TLS above it gets no word in.
final class ResetHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// Ends a connection with a TCP RST: a close that lingers for no time throws away what is unsent (RFC 9293 §3.10.4).
    static func reset(_ channel: any Channel) {
        guard let socket = channel as? any SocketOptionProvider else { return channel.close(promise: nil) }
        socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenComplete { _ in
            let context = try? channel.pipeline.syncOperations.context(handlerType: ResetHandler.self)
            context?.close(promise: nil)
        }
    }
}
