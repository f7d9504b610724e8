import Atomics
import DequeModule
import NIOConcurrencyHelpers
import NIOCore

/// How many client connections the proxy has open, and who waits for one to close.
final class ConnectionCount: Sendable {
    private let limit: ManagedAtomic<Int>
    private let open = ManagedAtomic<Int>(0)
    private let waiting = NIOLockedValueBox<[@Sendable () -> Void]>([])

    init(limit: Int) { self.limit = ManagedAtomic(limit) }

    /// How many are open.
    var openCount: Int { open.load(ordering: .relaxed) }

    /// Allows another number; those that are open stay, and those that wait look again.
    func allow(_ count: Int) {
        limit.store(count, ordering: .releasing)
        wakeAll()
    }

    /// Counts one more connection, if there is room.
    func enter() -> Bool {
        if open.loadThenWrappingIncrement(ordering: .acquiringAndReleasing) < limit.load(ordering: .acquiring) {
            return true
        }
        open.wrappingDecrement(ordering: .acquiringAndReleasing)
        return false
    }

    /// A connection closed: whoever waits looks again.
    func leave() {
        open.wrappingDecrement(ordering: .acquiringAndReleasing)
        wakeAll()
    }

    /// Calls back after the next `leave`, on the thread that it happens on; at once when there is room again by now.
    func whenRoom(_ wake: @escaping @Sendable () -> Void) {
        waiting.withLockedValue { $0.append(wake) }
        // One may have left between the refusal and this.
        guard open.load(ordering: .acquiring) < limit.load(ordering: .acquiring) else { return }
        wakeAll()
    }

    private func wakeAll() {
        let waiting = waiting.withLockedValue { waiting in
            defer { waiting = [] }
            return waiting
        }
        for wake in waiting { wake() }
    }
}

/// Stands on a listener: at the limit of open connections it accepts no further ones, which wait in the kernel's queue, until one closes.
///
/// Nor does it while the record takes no more: each connection may leave a row.
final class AcceptGate: ChannelDuplexHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel
    typealias OutboundIn = Never

    private let count: ConnectionCount
    private let budget: CaptureBudget
    /// Accepted in the same burst as the one that took the last place: at most as many as one burst holds.
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

    /// Lets in as many as there is room for, in the order they came.
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
