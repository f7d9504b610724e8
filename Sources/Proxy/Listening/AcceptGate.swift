import DequeModule
import NIOCore

/// The handler of a listener that stops accepting at the limit of open connections: further ones wait in the kernel's queue until one closes.
///
/// It accepts none while the record is full, either: each connection may leave a row.
final class AcceptGate: ChannelDuplexHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel
    typealias OutboundIn = Never

    private let count: ConnectionCount
    private let budget: CaptureBudget
    /// Connections accepted in the same burst as the one that took the last place: one burst at most.
    private var held: Deque<NIOAny> = []
    private var isReadWithheld = false
    private var isAwaitingRoom = false
    private var context: ChannelHandlerContext?

    /// - Parameters:
    ///   - count: how many connections may be open.
    ///   - budget: what may be on its way to the record.
    init(count: ConnectionCount, budget: CaptureBudget) {
        self.count = count
        self.budget = budget
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        for accepted in held { unwrapInboundIn(accepted).close(promise: nil) }
        held = []
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        held.append(data)
        admit()
    }

    func read(context: ChannelHandlerContext) {
        if held.isEmpty { context.read() } else { isReadWithheld = true }
    }

    /// Lets in as many connections as there is room for, in the order they came.
    private func admit() {
        guard let context else { return }
        while let accepted = held.first {
            guard !budget.isExhausted else { return awaitRoom(context.eventLoop, budget.whenRoom) }
            guard count.enter() else { return awaitRoom(context.eventLoop, count.whenRoom) }
            held.removeFirst()
            unwrapInboundIn(accepted).closeFuture.whenComplete { [count] _ in count.leave() }
            context.fireChannelRead(accepted)
        }
        guard isReadWithheld else { return }
        isReadWithheld = false
        context.read()
    }

    private func awaitRoom(_ loop: any EventLoop, _ whenRoom: (@escaping @Sendable () -> Void) -> Void) {
        guard !isAwaitingRoom else { return }
        isAwaitingRoom = true
        let bound = NIOLoopBound(self, eventLoop: loop)
        whenRoom {
            loop.execute {
                bound.value.isAwaitingRoom = false
                bound.value.admit()
            }
        }
    }
}
