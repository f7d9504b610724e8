import NIOCore

/// Plays an origin's script on one connection; everything in it happens on the connection's event loop.
final class OriginHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let watched: Watched<[LoopbackOrigin.Connection]>
    private let keeps: Int
    private let script: LoopbackOrigin.Script
    private var index: Int?
    private var unanswered: [UInt8] = []
    private var steps: ArraySlice<LoopbackOrigin.Step> = []
    private var isBusy = false

    init(watched: Watched<[LoopbackOrigin.Connection]>, keeps: Int, script: @escaping LoopbackOrigin.Script) {
        self.watched = watched
        self.keeps = keeps
        self.script = script
    }

    func channelActive(context: ChannelHandlerContext) {
        index = watched.update { connections in
            connections.append(LoopbackOrigin.Connection())
            return connections.count - 1
        }
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = Array(unwrapInboundIn(data).readableBytesView)
        unanswered += bytes
        let keeps = keeps
        record { connection in
            connection.receivedBytes += bytes.count
            connection.received += bytes.prefix(max(0, keeps - connection.received.count))
        }
        ask(context)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event { record { $0.isClientDone = true } }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        record { connection in
            connection.isClosed = true
            // When we were done first, the client's FIN shows as the end of the connection only.
            connection.isClientDone = connection.isClientDone || connection.error == nil
        }
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        let words = String(describing: error)
        record { $0.error = $0.error ?? words }
        context.close(promise: nil)
    }

    private func record(_ change: @Sendable (inout LoopbackOrigin.Connection) -> Void) {
        guard let index else { return }
        watched.update { change(&$0[index]) }
    }

    private func ask(_ context: ChannelHandlerContext) {
        while !isBusy, steps.isEmpty, !unanswered.isEmpty, let reply = script(unanswered) {
            unanswered.removeFirst(min(reply.consumed, unanswered.count))
            steps = reply.steps[...]
            perform(context)
            if reply.consumed == 0 { return }
        }
    }

    /// Does the steps until one has to be waited for; the wait's end calls this again.
    private func perform(_ context: ChannelHandlerContext) {
        while !isBusy, let step = steps.popFirst() {
            switch step {
            case .send(let bytes):
                record { $0.sent += bytes }
                write(bytes, times: 1, context)
            case .stream(let bytes, let times):
                write(bytes, times: times, context)
            case .pause(let duration):
                wait(for: context.eventLoop.scheduleTask(in: .init(duration)) {}.futureResult, context)
            case .held(let gate):
                wait(for: gate.opened(on: context.eventLoop), context)
            case .reading(let isReading):
                wait(for: context.channel.setOption(.autoRead, value: isReading), context)
            case .halfClose:
                wait(for: context.close(mode: .output), context)
            case .close:
                context.close(promise: nil)
            case .reset:
                ResetHandler.reset(context.channel)
            }
        }
    }

    private func write(_ bytes: [UInt8], times: Int, _ context: ChannelHandlerContext) {
        guard times > 0 else { return }
        isBusy = true
        let written = context.eventLoop.makePromise(of: Void.self)
        context.writeAndFlush(wrapOutboundOut(context.channel.allocator.buffer(bytes: bytes)), promise: written)
        written.futureResult.assumeIsolated().whenComplete { result in
            self.isBusy = false
            guard case .success = result else { return self.steps = [] }
            self.record { $0.sentBytes += bytes.count }
            if times > 1 { return self.write(bytes, times: times - 1, context) }
            self.resume(context)
        }
    }

    private func wait(for future: EventLoopFuture<Void>, _ context: ChannelHandlerContext) {
        isBusy = true
        future.assumeIsolated().whenComplete { _ in
            self.isBusy = false
            self.resume(context)
        }
    }

    private func resume(_ context: ChannelHandlerContext) {
        perform(context)
        ask(context)
    }
}
