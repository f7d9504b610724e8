import NIOCore
import NIOEmbedded
import Testing

@testable import Proxy

@Suite(.timeLimit(.minutes(15)))
struct FrameSplitterTests {
    private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
    private static let largest: [UInt8] = [0, 5, 0, 0xFF, 0xFF, 0xFF]

    private static func frame(_ type: UInt8, _ flags: UInt8, _ payload: [UInt8], stream: UInt8 = 1) -> [UInt8] {
        let count = payload.count
        return [UInt8(count >> 16), UInt8(count >> 8 & 255), UInt8(count & 255), type, flags, 0, 0, 0, stream] + payload
    }

    /// A frame size that the other end says it takes.
    private static func takes(_ size: Int) -> [UInt8] {
        frame(
            4,
            0,
            [0, 4, 0, 1, 0, 0, 0, 5, 0, UInt8(size >> 16), UInt8(size >> 8 & 255), UInt8(size & 255)],
            stream: 0
        )
    }

    private func channel(isClient: Bool) throws -> EmbeddedChannel {
        let splitter = FrameSplitter(isClient: isClient, joined: JoinedWrites())
        let channel = EmbeddedChannel(handler: splitter)
        if isClient { splitter.begin(try channel.pipeline.syncOperations.context(handler: splitter)) }
        return channel
    }

    private func inbound(_ channel: EmbeddedChannel, _ bytes: [UInt8], pieces size: Int = .max) throws -> [UInt8] {
        for start in stride(from: 0, to: bytes.count, by: min(size, bytes.count)) {
            let end = size > bytes.count ? bytes.count : min(start + size, bytes.count)
            try channel.writeInbound(ByteBuffer(bytes: bytes[start..<end]))
        }
        var out: [UInt8] = []
        while let piece = try channel.readInbound(as: ByteBuffer.self) { out += piece.readableBytesView }
        return out
    }

    private func outbound(_ channel: EmbeddedChannel, _ writes: [[UInt8]]) throws -> [UInt8] {
        for write in writes { channel.write(ByteBuffer(bytes: write), promise: nil) }
        channel.flush()
        var out: [UInt8] = []
        while let piece = try channel.readOutbound(as: ByteBuffer.self) { out += piece.readableBytesView }
        return out
    }

    @Test(
        "The library is told once that every frame is taken and its settings hold; the acknowledgements of that go nowhere"
    )
    func told() throws {
        let own = Self.frame(4, 0, Self.largest, stream: 0)
        let (settings, acknowledgement) = (Self.frame(4, 0, [], stream: 0), Self.frame(4, 1, [], stream: 0))
        let client = try channel(isClient: true)
        #expect(
            try inbound(client, settings + acknowledgement + settings + acknowledgement)
                == own + acknowledgement + settings + settings + acknowledgement
        )
        #expect(try outbound(client, [Self.preface, settings, acknowledgement]) == Self.preface + settings)
        #expect(try outbound(client, [acknowledgement]) == acknowledgement)
        for size in [1, 5, 24, 30, .max] {
            let server = try channel(isClient: false)
            let came = Self.preface + settings + acknowledgement
            #expect(try inbound(server, came, pieces: size) == Self.preface + own + settings + acknowledgement)
            #expect(try outbound(server, [settings, acknowledgement, acknowledgement]) == settings + acknowledgement)
        }
    }

    @Test("What a large read brought passes in pieces that end with a frame, and the begun frame at its end at once")
    func pieces() throws {
        let channel = try channel(isClient: true)
        _ = try inbound(channel, Self.frame(4, 0, [], stream: 0))
        let data = Self.frame(0, 0, [UInt8](repeating: 7, count: 8 << 10))
        let came = Array(repeating: data, count: 30).flatMap { $0 } + data.prefix(100)
        try channel.writeInbound(ByteBuffer(bytes: came))
        var passed: [[UInt8]] = []
        while let piece = try channel.readInbound(as: ByteBuffer.self) { passed.append(Array(piece.readableBytesView)) }
        #expect(passed.flatMap { $0 } == came)
        #expect(passed.allSatisfy { $0.count <= 32 << 10 } && passed.count == 10)
        #expect(passed.dropLast().allSatisfy { $0.count % data.count == 0 })
    }

    @Test("What the other end takes is hidden from the library, in whatever pieces it comes", arguments: 1...40)
    func hidden(size: Int) throws {
        let channel = try channel(isClient: true)
        let content = Self.frame(0, 0, Self.takes(20_000))
        let wrong = Self.takes(16_383)
        let passed = try inbound(channel, content + Self.takes(20_000) + content + wrong + content, pieces: size)
        let hidden = Self.takes((1 << 24) - 1)
        let told = Self.frame(4, 0, Self.largest, stream: 0) + Self.frame(4, 1, [], stream: 0)
        #expect(passed == told + content + hidden + content + wrong + content)
    }

    @Test("Field sections leave as HEADERS and CONTINUATION, END_STREAM on the first and END_HEADERS on the last")
    func fields() throws {
        let channel = try channel(isClient: true)
        _ = try outbound(channel, [Self.preface])
        let long = (0..<40_000).map { UInt8($0 % 251) }
        let fits = Self.frame(1, 5, Array(long.prefix(16_384)))
        #expect(try outbound(channel, [fits]) == fits)
        #expect(
            try outbound(channel, [Self.frame(1, 5, long)])
                == Self.frame(1, 1, Array(long[..<16_384])) + Self.frame(9, 0, Array(long[16_384..<32_768]))
                + Self.frame(9, 4, Array(long[32_768...]))
        )
        #expect(
            try outbound(channel, [Self.frame(1, 4, Array(long.prefix(16_385)))])
                == Self.frame(1, 0, Array(long[..<16_384])) + Self.frame(9, 4, Array(long[16_384...16_384]))
        )
        _ = try inbound(channel, Self.takes(39_999))
        #expect(
            try outbound(channel, [Self.frame(1, 4, long)])
                == Self.frame(1, 0, Array(long[..<39_999])) + Self.frame(9, 4, Array(long[39_999...]))
        )
    }

    @Test("Content leaves as several frames, END_STREAM on the last; what looks like a frame within it is none")
    func content() throws {
        let channel = try channel(isClient: true)
        _ = try outbound(channel, [Self.preface])
        let long = (0..<20).flatMap { _ in Self.frame(1, 5, Array(repeating: 1, count: 1_000)) }
        func written(_ flags: UInt8, _ payload: [UInt8]) -> [[UInt8]] {
            [Array(Self.frame(0, flags, payload).prefix(9)), payload]
        }
        #expect(
            try outbound(channel, written(1, long))
                == Self.frame(0, 0, Array(long[..<16_384])) + Self.frame(0, 1, Array(long[16_384...]))
        )
        #expect(
            try outbound(channel, written(0, long) + written(1, []))
                == Self.frame(0, 0, Array(long[..<16_384])) + Self.frame(0, 0, Array(long[16_384...]))
                + Self.frame(0, 1, [])
        )
        let fits = Array(long[..<16_384])
        #expect(try outbound(channel, written(1, fits)) == Self.frame(0, 1, fits))
        let bye = Self.frame(7, 0, Array(repeating: 0, count: 20), stream: 0)
        #expect(try outbound(channel, [Array(bye.prefix(17)), Array(bye.dropFirst(17)), fits]).starts(with: bye))
    }

    @Test("The window of a stream that is held opens when it is released, once and by all that it was to be opened")
    func windows() throws {
        let splitter = FrameSplitter(isClient: true, joined: JoinedWrites())
        let channel = EmbeddedChannel(handler: splitter)
        _ = try outbound(channel, [Self.preface])
        func update(_ bytes: UInt8, stream: UInt8 = 1) -> [UInt8] {
            Self.frame(8, 0, [0, 0, bytes, 0], stream: stream)
        }
        #expect(try outbound(channel, [update(1)]) == update(1))
        splitter.holdWindow(of: 1)
        splitter.holdWindow(of: 1)
        let others = update(9, stream: 0) + update(8, stream: 3)
        #expect(
            try outbound(channel, [update(2), update(9, stream: 0), update(3), update(8, stream: 3)]) == others
        )
        splitter.releaseWindow(of: 1)
        #expect(try outbound(channel, []) == update(5))
        splitter.releaseWindow(of: 1)
        #expect(try outbound(channel, [update(4)]) == update(4))
        splitter.holdWindow(of: 1)
        splitter.releaseWindow(of: 1)
        #expect(try outbound(channel, []).isEmpty)
        // A stream that is over opens nothing, and its number is never had again.
        splitter.holdWindow(of: 3)
        #expect(try outbound(channel, [update(7, stream: 3)]).isEmpty)
        splitter.forgetWindow(of: 3)
        splitter.releaseWindow(of: 3)
        #expect(try outbound(channel, [update(6, stream: 3)]) == update(6, stream: 3))
    }

    /// RST_STREAM, as the library writes it.
    private static func reset(_ code: UInt8, stream: UInt8 = 1) -> [UInt8] {
        frame(3, 0, [0, 0, 0, code], stream: stream)
    }

    private static let ping = frame(6, 0, [UInt8](repeating: 0, count: 8), stream: 0)

    /// GOAWAY that names no stream, as the library writes it.
    private static func goAway(_ code: UInt8) -> [UInt8] {
        frame(7, 0, [0x7F, 0xFF, 0xFF, 0xFF, 0, 0, 0, code], stream: 0)
    }

    @Test(
        "A stream is reset as closed for HEADERS behind its end, and with the library's code for all else",
        arguments: [1, 9, 40, Int.max]
    )
    func lateHeaders(size: Int) throws {
        let settings = Self.frame(4, 0, [], stream: 0)
        let (whole, head) = (Self.frame(1, 5, [0x82]), Self.frame(1, 4, [0x82]))
        let (content, last) = (Self.frame(0, 0, [7, 7]), Self.frame(0, 1, [7, 7]))
        let (begun, rest) = (Self.frame(1, 1, [0x82]), Self.frame(9, 4, [0x84]))
        let cases: [(came: [UInt8], code: UInt8)] = [
            (whole + whole, 5), (whole + head, 5), (head + last + head, 5), (head + whole + whole, 5),
            (begun + rest + whole, 5), (whole + begun + rest, 5),
            // The library's answer may wait for room in the connection.
            (whole + whole + Self.ping, 5),
            (whole, 1), (begun + rest, 1), (head + head, 1), (head + content + head, 1),
        ]
        for (came, code) in cases {
            let server = try channel(isClient: false)
            let passed = try inbound(server, Self.preface + settings + came, pieces: size)
            #expect(passed == Self.preface + Self.frame(4, 0, Self.largest, stream: 0) + settings + came)
            #expect(try outbound(server, [Self.reset(1, stream: 3)]) == Self.reset(1, stream: 3))
            #expect(try outbound(server, [Self.reset(1)]) == Self.reset(code), "\(came)")
        }
        let server = try channel(isClient: false)
        _ = try inbound(server, Self.preface + settings + whole + whole, pieces: size)
        #expect(try outbound(server, [Self.reset(8)]) == Self.reset(8))
    }

    @Test("HEADERS on a stream that was end the connection as on a closed one, and on a number that was skipped do not")
    func headersOnClosed() throws {
        for (first, code) in [(1, 5), (3, 1)] as [(UInt8, UInt8)] {
            let server = try channel(isClient: false)
            let whole = Self.frame(1, 5, [0x82], stream: first)
            _ = try inbound(server, Self.preface + Self.frame(4, 0, [], stream: 0) + whole)
            #expect(try outbound(server, [Self.reset(8, stream: first)]) == Self.reset(8, stream: first))
            #expect(try outbound(server, [Self.goAway(1)]) == Self.goAway(1))
            _ = try inbound(server, Self.frame(1, 5, [0x82]))
            #expect(try outbound(server, [Self.goAway(1)]) == Self.goAway(code), "behind stream \(first)")
        }
    }

    @Test("HEADERS that may have crossed our reset of their stream end the connection, and not by the client's fault")
    func crossedReset() throws {
        let (begun, trailers) = (Self.frame(1, 4, [0x82]), Self.frame(1, 5, [0x82]))
        let opening = Self.preface + Self.frame(4, 0, [], stream: 0)
        for isClients in [false, true] {
            let splitter = FrameSplitter(isClient: false, joined: JoinedWrites())
            let server = EmbeddedChannel(handler: splitter)
            // Who has reset the stream knows that it is over.
            _ = try inbound(server, opening + begun + (isClients ? Self.reset(8) : []))
            if !isClients { #expect(try outbound(server, [Self.reset(8)]) == Self.reset(8)) }
            _ = try inbound(server, trailers)
            #expect(try outbound(server, [Self.goAway(1)]) == Self.goAway(isClients ? 5 : 2))
            #expect(splitter.endsForCrossedReset == !isClients)
        }
        // As many resets later the client has seen the first.
        for (count, code) in [(32, 2), (33, 5)] as [(UInt8, UInt8)] {
            let server = try channel(isClient: false)
            let numbers = (0..<count).map { 2 * $0 + 1 }
            _ = try inbound(server, opening + numbers.flatMap { Self.frame(1, 4, [0x82], stream: $0) })
            _ = try outbound(server, numbers.map { Self.reset(8, stream: $0) })
            _ = try inbound(server, trailers)
            #expect(try outbound(server, [Self.goAway(1)]) == Self.goAway(code), "\(count) resets")
        }
    }

    @Test("Frames that would end any connection end it with the library's code", arguments: [1, 9, 40, Int.max])
    func misplaced(size: Int) throws {
        let whole = Self.frame(1, 5, [0x82])
        let begun = Self.frame(1, 1, [0x82])
        let cases: [(what: String, came: [UInt8])] = [
            ("on no stream", Self.frame(1, 5, [0x82], stream: 0)),
            ("on a server's stream", whole + Self.frame(1, 5, [0x82], stream: 2)),
            ("within a field section", begun + whole),
            ("within a field section of another stream", whole + Self.frame(1, 1, [0x82], stream: 3) + whole),
            ("within a field section behind the end", whole + Self.frame(1, 0, [0x82]) + Self.ping),
            ("behind a field section that was passed over", whole + whole + Self.ping),
        ]
        for (what, came) in cases {
            let server = try channel(isClient: false)
            _ = try inbound(server, Self.preface + Self.frame(4, 0, [], stream: 0) + came, pieces: size)
            #expect(try outbound(server, [Self.goAway(1)]) == Self.goAway(1), "\(what)")
        }
    }

    @Test("A burst is flushed on the way and between two frames, what is less at the end of the tick")
    func bursts() throws {
        let joined = JoinedWrites()
        let channel = EmbeddedChannel(handlers: [joined, FrameSplitter(isClient: true, joined: joined)])
        func left() throws -> Int {
            var bytes = 0
            while let piece = try channel.readOutbound(as: ByteBuffer.self) { bytes += piece.readableBytes }
            return bytes
        }
        let frame = Self.frame(0, 0, [UInt8](repeating: 1, count: 10_000))
        channel.writeAndFlush(ByteBuffer(bytes: Self.preface), promise: nil)
        channel.embeddedEventLoop.run()
        #expect(try left() == 24)
        var flushed = 0
        for number in 1...20 {
            channel.write(ByteBuffer(bytes: frame.prefix(9)), promise: nil)
            #expect(try left() == 0)
            // A flush that is due at the end of the tick makes no difference to that.
            channel.writeAndFlush(ByteBuffer(bytes: frame.dropFirst(9)), promise: nil)
            let now = try left()
            flushed += now
            #expect(now == 0 || now == 7 * frame.count, "behind frame \(number)")
        }
        #expect(try flushed == 14 * frame.count && left() == 0)
        channel.embeddedEventLoop.run()
        #expect(try left() == 6 * frame.count)
    }

    @Test("The promise of a write that is cut is kept when its last piece is written")
    func promised() throws {
        let channel = try channel(isClient: true)
        _ = try outbound(channel, [Self.preface])
        let promise = channel.eventLoop.makePromise(of: Void.self)
        let whole = Self.frame(1, 4, Array(repeating: 0, count: 50_000))
        channel.write(ByteBuffer(bytes: whole), promise: promise)
        channel.flush()
        try promise.futureResult.wait()
        var count = 0
        while try channel.readOutbound(as: ByteBuffer.self) != nil { count += 1 }
        #expect(count == 8)
    }
}
