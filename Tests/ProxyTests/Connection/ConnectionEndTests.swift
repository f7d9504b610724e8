import NIOCore
import NIOEmbedded
import Testing

@testable import Proxy

@Suite("The end of a connection", .timeLimit(.minutes(15)))
struct ConnectionEndTests {
    /// Stands for the socket: notes what reaches it, and takes what is flushed when it is told to.
    private final class Socket: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer

        var events: [String] = []
        var isTaking = true
        private var untaken: [EventLoopPromise<Void>] = []
        private var written = ""
        private var promises: [EventLoopPromise<Void>] = []

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            written += String(buffer: unwrapOutboundIn(data))
            if let promise { promises.append(promise) }
        }

        func flush(context: ChannelHandlerContext) {
            events.append("write \(written)")
            untaken += promises
            (written, promises) = ("", [])
            if isTaking { takeAll() }
        }

        func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
            events.append("close \(mode)")
            promise?.succeed()
        }

        func takeAll() {
            let taken = untaken
            untaken = []
            for promise in taken { promise.succeed() }
        }
    }

    /// Says goodbye before it closes, as TLS does.
    private final class Polite: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
            if mode == .output { context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: "bye")), promise: nil) }
            context.close(mode: mode, promise: promise)
        }
    }

    /// Writes what there is to say.
    private final class Talker: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer
    }

    private static func pipeline(_ onEnd: ((Bool) -> Void)? = nil) throws -> (EmbeddedChannel, Socket) {
        let (channel, socket) = (EmbeddedChannel(), Socket())
        try channel.pipeline.syncOperations.addHandlers(socket, ConnectionEnd(onEnd: onEnd), Polite(), Talker())
        return (channel, socket)
    }

    @Test("The last bytes and the goodbye leave in one write, and then it is told that they have")
    func joined() throws {
        let (channel, socket) = try Self.pipeline()
        let context = try channel.pipeline.syncOperations.context(handlerType: Talker.self)
        channel.write(ByteBuffer(string: "last "), promise: nil)
        var isTold = false
        ConnectionEnd.endOutput(context) { isTold = true }
        #expect(socket.events == ["write last bye", "close output"] && isTold)
    }

    @Test("A full close waits for a socket that is slow to take the last bytes, and a reset does not")
    func slow() throws {
        let (channel, socket) = try Self.pipeline()
        channel.write(ByteBuffer(string: "last "), promise: nil)
        socket.isTaking = false
        var isTold = false
        let inner = try channel.pipeline.syncOperations.context(handlerType: Talker.self)
        ConnectionEnd.endOutput(inner) { isTold = true }
        channel.close(promise: nil)
        #expect(socket.events == ["write last bye", "close output"] && !isTold)
        socket.takeAll()
        #expect(socket.events == ["write last bye", "close output", "close all"] && isTold)
        let (other, stuck) = try Self.pipeline()
        stuck.isTaking = false
        ConnectionEnd.endOutput(try other.pipeline.syncOperations.context(handlerType: Talker.self)) {}
        ConnectionEnd.reset(other)
        #expect(stuck.events.last == "close all")
    }

    @Test("It is told when nothing more goes to the other end, and when that has closed")
    func told() throws {
        var said: [Bool] = []
        let (channel, _) = try Self.pipeline { said.append($0) }
        channel.close(mode: .output, promise: nil)
        #expect(said == [false])
        channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        channel.close(promise: nil)
        #expect(said == [false, true])
        let over = EmbeddedChannel(handler: ConnectionEnd { said.append($0) })
        try over.close().wait()
        over.embeddedEventLoop.run()
        #expect(said == [false, true, false, true])
    }
}
