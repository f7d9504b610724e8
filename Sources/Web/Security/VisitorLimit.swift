import NIOCore
import Synchronization

/// The connections on which no secret has been shown yet; beyond a limit the oldest is closed, so that strangers cannot hold every connection.
final class VisitorLimit: Sendable {
    private let limit: Int
    /// The connections in the order of their arrival, at most `limit`.
    private let visitors = Mutex<[any Channel]>([])

    /// - Parameter limit: connections at once, at most.
    init(_ limit: Int) { self.limit = limit }

    /// A handler that counts the connection to which it is added.
    var door: any RemovableChannelHandler { Door(self) }

    /// Takes a connection out of the count, because a secret was shown on it.
    func admit(_ channel: any Channel) {
        visitors.withLock { visitors in visitors.removeAll { $0 === channel } }
    }

    private func take(_ channel: any Channel) {
        let surplus = visitors.withLock { visitors -> (any Channel)? in
            visitors.append(channel)
            return visitors.count > limit ? visitors.removeFirst() : nil
        }
        surplus?.close(promise: nil)
        channel.closeFuture.whenComplete { [self] _ in admit(channel) }
    }

    /// Tells of the connection that it is added to.
    private final class Door: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = NIOAny

        private let limit: VisitorLimit
        init(_ limit: VisitorLimit) { self.limit = limit }
        func handlerAdded(context: ChannelHandlerContext) { limit.take(context.channel) }
    }
}
