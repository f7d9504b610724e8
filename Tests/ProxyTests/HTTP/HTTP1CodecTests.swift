import NIOCore
import NIOEmbedded
import Testing
import Traffic

#if canImport(Glibc)
import Glibc
#endif

@testable import Proxy

@Suite(.timeLimit(.minutes(15)))
struct HTTP1CodecTests {
    @Test(
        "Requests are read or refused alike, whole, in pieces and byte by byte",
        arguments: RequestCase.accepted + RequestCase.refused + RequestCase.ambiguous + RequestCase.badChunks
    )
    func requests(example: RequestCase) throws {
        let expected = example.expected.filter { !$0.isEmpty }
        for pieceBytes in [Int.max, 1, 2, 3, 7] {
            #expect(try CodecTranscript.requests(example.bytes, pieceBytes: pieceBytes) == expected)
        }
    }

    @Test("A head or a part of it past its limit is refused with 414 or 431", arguments: [Int.max, 1, 50])
    func limits(pieceBytes: Int) throws {
        let limits = HeadLimits(headBytes: 400, startLineBytes: 100, fieldCount: 5)
        func outcome(_ text: String) throws -> [String] {
            try CodecTranscript.requests(Array(text.utf8), pieceBytes: pieceBytes, limits: limits)
        }
        let line = { (count: Int) in "GET /" + String(repeating: "a", count: count - 14) + " HTTP/1.1\r\n" }
        let fields = { (count: Int) in String(repeating: "A: b\r\n", count: count) }
        let long = { (count: Int) in "A: " + String(repeating: "b", count: count) + "\r\n" }
        #expect(try outcome(line(100) + "\r\n").first?.hasPrefix("request") == true)
        #expect(try outcome(line(101) + "\r\n") == ["refused 414 too-long"])
        #expect(try outcome(line(2_000)) == ["refused 414 too-long"])
        #expect(try outcome("GET / HTTP/1.1\r\n" + fields(5) + "\r\n").last == "end")
        #expect(try outcome("GET / HTTP/1.1\r\n" + fields(6) + "\r\n") == ["refused 431 too-long"])
        #expect(try outcome("GET / HTTP/1.1\r\n" + long(350) + "\r\n").last == "end")
        #expect(try outcome("GET / HTTP/1.1\r\n" + long(400) + "\r\n") == ["refused 431 too-long"])
        #expect(try outcome("GET / HTTP/1.1\r\n" + long(4_000)) == ["refused 431 too-long"])
        let chunked = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"
        #expect(try outcome(chunked + long(4_000) + "\r\n").last == "refused 431 too-long")
        #expect(try outcome(chunked + fields(6) + "\r\n").last == "refused 431 too-long")
    }

    @Test("A client that stops within a head is refused, with what came of it", arguments: [Int.max, 1])
    func unfinishedHead(pieceBytes: Int) throws {
        let bytes = Array("GET / HTTP/1.1\r\nHost: a\r\n".utf8)
        let lines = try CodecTranscript.requests(bytes, pieceBytes: pieceBytes, closes: true)
        #expect(lines == ["refused 400 unfinished"])
    }

    @Test(
        "Responses end where their framing says",
        arguments: ResponseCase.accepted + ResponseCase.refused + ResponseCase.ended
    )
    func responses(example: ResponseCase) throws {
        for pieceBytes in [Int.max, 1, 2, 5] {
            let lines = try CodecTranscript.responses(
                to: example.method,
                example.bytes,
                pieceBytes: pieceBytes,
                closes: example.closes
            )
            #expect(lines == example.expected)
        }
    }

    /// Keeps the heads that come.
    private final class Heads: ChannelInboundHandler {
        typealias InboundIn = MessagePart

        var heads: [ByteBuffer] = []

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .request(let head): heads += [head.raw, head.fields.bytes]
            case .response(let head): heads += [head.raw, head.fields.bytes]
            case .body, .end: break
            }
        }
    }

    @Test("A head does not keep the read that it came in", arguments: [HTTP1Codec.Role.requests, .responses])
    func heads(role: HTTP1Codec.Role) throws {
        let codec = HTTP1Codec(role: role, limits: HeadLimits())
        if role == .responses { codec.expectResponse(to: "GET") }
        let heads = Heads()
        let channel = EmbeddedChannel(handlers: [codec, heads])
        let line = role == .requests ? "POST / HTTP/1.1\r\nHost: a" : "HTTP/1.1 200 OK"
        let head = "\(line)\r\nContent-Length: 60000\r\n\r\n"
        var read = ByteBufferAllocator().buffer(capacity: 64 << 10)
        read.writeString(head)
        read.writeRepeatingByte(0x61, count: 60_000)
        try channel.writeInbound(read)
        #expect(heads.heads.count == 2 && heads.heads.first == ByteBuffer(string: head))
        #expect(heads.heads.allSatisfy { $0.storageCapacity < 1 << 10 })
        _ = try channel.finish(acceptAlreadyClosed: true)
    }

    #if os(Linux)
    /// Stands for a socket that a write finds broken: what had come is handed on if it is read, the writes fail, and it is over.
    private final class BrokenSocket: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer

        let answer: String
        let code: CInt
        private var isReadPending = false
        private var promises: [EventLoopPromise<Void>] = []

        init(answer: String, code: CInt) { (self.answer, self.code) = (answer, code) }

        func read(context: ChannelHandlerContext) { isReadPending = true }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            if let promise { promises.append(promise) }
        }

        func flush(context: ChannelHandlerContext) {
            if !isReadPending { context.channel.read() }
            if isReadPending {
                context.fireChannelRead(NIOAny(ByteBuffer(string: answer)))
                context.fireChannelReadComplete()
            }
            for promise in promises { promise.fail(IOError(errnoCode: code, reason: "write")) }
            promises = []
            context.fireChannelInactive()
        }

        /// Hands on what comes before that.
        func hand(_ text: String, _ context: ChannelHandlerContext) {
            isReadPending = false
            context.fireChannelRead(NIOAny(ByteBuffer(string: text)))
            context.fireChannelReadComplete()
        }
    }

    /// Stands for a client that has no room for more.
    private final class NoRoom: ChannelOutboundHandler {
        typealias OutboundIn = WirePart

        var isFull = false

        func read(context: ChannelHandlerContext) { if !isFull { context.read() } }
    }

    @Test(
        "An early answer that ends with its connection is whole where a write comes behind the upstream's end, and not behind a reset",
        arguments: [(EPIPE, ["end"]), (ECONNRESET, [])] as [(CInt, [String])]
    )
    func brokenWrite(code: CInt, end: [String]) throws {
        let socket = BrokenSocket(answer: "HTTP/1.1 413 No\r\n\r\ntoo much", code: code)
        let codec = HTTP1Codec(role: .responses, limits: HeadLimits())
        codec.expectResponse(to: "POST")
        let transcript = CodecTranscript()
        let channel = EmbeddedChannel(handlers: [socket, codec, transcript])
        let head = ByteBuffer(string: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n")
        channel.write(WirePart.head(head, .length(10)), promise: nil)
        channel.writeAndFlush(WirePart.body(ByteBuffer(string: "hello")), promise: nil)
        #expect(transcript.told == ["response 413 untilClose", "body \"too much\""] + end)
        _ = try? channel.finish(acceptAlreadyClosed: true)
    }

    @Test(
        "An early answer whose rest was not read, since its client had no room for it, is not whole whatever a write finds",
        arguments: [true, false]
    )
    func brokenWriteBeforeRest(isFull: Bool) throws {
        let socket = BrokenSocket(answer: " much", code: EPIPE)
        let codec = HTTP1Codec(role: .responses, limits: HeadLimits())
        codec.expectResponse(to: "POST")
        let (transcript, room) = (CodecTranscript(), NoRoom())
        let channel = EmbeddedChannel(handlers: [socket, codec, room, transcript])
        let head = ByteBuffer(string: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n")
        channel.write(WirePart.head(head, .length(10)), promise: nil)
        channel.read()
        let context = try channel.pipeline.syncOperations.context(handler: socket)
        socket.hand("HTTP/1.1 413 No\r\n\r\ntoo", context)
        room.isFull = isFull
        channel.read()
        channel.writeAndFlush(WirePart.body(ByteBuffer(string: "hello")), promise: nil)
        let rest = isFull ? ["body \"too\""] : ["body \"too much\"", "end"]
        #expect(transcript.told == ["response 413 untilClose"] + rest)
        _ = try? channel.finish(acceptAlreadyClosed: true)
    }
    #endif
}
