import NIOCore
import NIOEmbedded
import Testing

@testable import Proxy

@Suite("What comes on a connection that is left", .timeLimit(.minutes(15)))
struct IgnoredInputTests {
    /// Counts how often more is asked for.
    private final class Asked: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer

        var count = 0

        func read(context: ChannelHandlerContext) { count += 1 }
    }

    @Test("It is read and thrown away, up to 4 MiB, and nothing further in hears of it")
    func limit() throws {
        let asked = Asked()
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandlers(asked, IgnoredInput())
        #expect(asked.count == 1)
        for bytes in [4 << 20 - 1, 1, 1] {
            channel.pipeline.fireChannelRead(ByteBuffer(repeating: 0x61, count: bytes))
            channel.pipeline.fireChannelReadComplete()
        }
        channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        channel.read()
        #expect(asked.count == 2)
        #expect(try channel.readInbound(as: ByteBuffer.self) == nil)
    }
}
