import NIOCore
import Synchronization

/// The connections on which nobody has shown a secret yet: of more than so many the oldest is closed, so that strangers cannot hold all there are.
final class VisitorLimit: Sendable {
    private let limit: Int
    /// In the order in which they came; as many as `limit` at most.
    private let visitors = Mutex<[any Channel]>([])

    /// - Parameter limit: how many may be there at once.
    init(_ limit: Int) { self.limit = limit }

    /// The handler that tells of a new connection.
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
