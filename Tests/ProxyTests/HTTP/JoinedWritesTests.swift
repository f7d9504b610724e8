import NIOCore
import NIOEmbedded
import Testing

@testable import Proxy

struct JoinedWritesTests {
    private func flushed(_ channel: EmbeddedChannel) throws -> Int {
        var bytes = 0
        while let piece = try channel.readOutbound(as: ByteBuffer.self) { bytes += piece.readableBytes }
        return bytes
    }

    @Test("Small writes wait for the end of the tick and leave as one")
    func joined() throws {
        let channel = EmbeddedChannel(handler: JoinedWrites())
        for _ in 0..<100 { channel.writeAndFlush(ByteBuffer(repeating: 1, count: 9), promise: nil) }
        #expect(try channel.readOutbound(as: ByteBuffer.self) == nil)
        channel.embeddedEventLoop.run()
        #expect(try channel.readOutbound(as: ByteBuffer.self)?.readableBytes == 900)
        #expect(try channel.readOutbound(as: ByteBuffer.self) == nil)
    }

    @Test("A burst is flushed on the way, so that it shows where no more is taken", arguments: [1_000, 16_384, 40_000])
    func bursts(size: Int) throws {
        let channel = EmbeddedChannel(handler: JoinedWrites())
        var (written, left) = (0, 0)
        for _ in 0..<(1_000_000 / size) {
            channel.write(ByteBuffer(repeating: 1, count: size), promise: nil)
            written += size
            left += try flushed(channel)
            #expect(written - left < 64 << 10 + 16 << 10 + size)
        }
        channel.flush()
        channel.embeddedEventLoop.run()
        #expect(try left + flushed(channel) == written)
    }
}
