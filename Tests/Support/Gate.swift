import NIOCore
import Synchronization

/// Something that a test opens once; what waits for it goes on then, however long that was.
package final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiting: [EventLoopPromise<Void>] = []
    }

    private let state = Mutex(State())

    package init() {}

    /// Opens it.
    package func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for promise in waiting { promise.succeed() }
    }

    /// Ends when it is open.
    func opened(on loop: any EventLoop) -> EventLoopFuture<Void> {
        let promise = loop.makePromise(of: Void.self)
        let isOpen = state.withLock { state in
            if !state.isOpen { state.waiting.append(promise) }
            return state.isOpen
        }
        if isOpen { promise.succeed() }
        return promise.futureResult
    }

    deinit { for promise in state.withLock({ $0.waiting }) { promise.fail(ChannelError.ioOnClosedChannel) } }
}
