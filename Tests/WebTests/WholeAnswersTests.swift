import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import Web

@Suite("A connection is not closed over what is still to be written", .timeLimit(.minutes(15)))
struct WholeAnswersTests {
    /// Keeps what is written from going out, and the closes that reach it.
    private final class Held: ChannelOutboundHandler {
        typealias OutboundIn = HTTPResponsePart
        var written: EventLoopPromise<Void>?
        var closes: [CloseMode] = []

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) { written = promise }

        func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
            closes.append(mode)
            promise?.succeed()
        }
    }

    @Test("Our side is closed once the end of the answer is with the system; a close of both sides waits for nothing")
    func order() throws {
        let held = Held()
        let channel = EmbeddedChannel(handlers: [held, WholeAnswers()])
        channel.write(HTTPResponsePart.end(nil), promise: nil)
        let closed = channel.close(mode: .output)
        #expect(held.closes.count == 0)
        channel.close(promise: nil)
        #expect(held.closes.count == 1)
        try #require(held.written).succeed()
        try closed.wait()
        #expect(held.closes.count == 2)
    }
}
