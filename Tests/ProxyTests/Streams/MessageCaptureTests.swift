import Foundation
import NIOCore
import Support
import Testing
import Traffic

@testable import Proxy

@Suite("The messages of an exchange's stream", .timeLimit(.minutes(15)))
struct MessageCaptureTests {
    private static func fields(_ lines: String...) -> HeaderList {
        HeaderList(head: ByteBuffer(string: "HTTP/1.1 200 OK\r\n" + lines.map { $0 + "\r\n" }.joined() + "\r\n"))
    }

    private static func message(_ lines: String..., trailers: String? = nil) -> Message {
        Message(
            head: ByteBuffer(string: "HTTP/1.1 200 OK\r\n" + lines.map { $0 + "\r\n" }.joined() + "\r\n"),
            trailers: trailers.map { ByteBuffer(string: $0) }
        )
    }

    private static func bytes(_ hex: some StringProtocol) -> [UInt8] {
        let digits = Array(hex.utf8)
        return stride(from: 0, to: digits.count - 1, by: 2).compactMap {
            UInt8(String(decoding: digits[$0...($0 + 1)], as: UTF8.self), radix: 16)
        }
    }

    /// Python's zlib flushes after each event, as a server that compresses a stream must.
    private static func flushed(_ parts: [String]) async throws -> [[UInt8]] {
        let program = """
            import sys, zlib
            coder = zlib.compressobj(wbits=31)
            for part in sys.argv[1:]:
                print((coder.compress(part.encode()) + coder.flush(zlib.Z_SYNC_FLUSH)).hex())
            """
        let result = try await CommandLineTool.run("python3", ["-c", program] + parts)
        return result.output.split(separator: "\n").map { line in
            bytes(line)
        }
    }

    @Test("The events of a compressed stream are told as they come")
    func codedEvents() async throws {
        let parts = try await Self.flushed(["data: one\n\n", "data: two\n\n", "data: thr", "ee\n\n"])
        var capture = MessageCapture(limits: MessageLimits(), totalBytes: 1 << 20)
        capture.begin(
            .response,
            Self.fields("Content-Type: text/event-stream; charset=utf-8", "Content-Encoding: gzip")
        )
        var told: [Int] = []
        var texts: [String?] = []
        for part in parts {
            capture.read(.response, ByteBuffer(bytes: part), time: 1) { texts.append($0.text) }
            told.append(texts.count)
        }
        #expect(told == [1, 2, 2, 3] && texts == ["one", "two", "three"])
        #expect(capture.counts == MessageCounts(request: 0, response: 3))
        #expect(capture.takeWarnings().isEmpty)
    }

    @Test("A damaged coding ends the reading of messages with one sentence")
    func damagedCoding() {
        var capture = MessageCapture(limits: MessageLimits(), totalBytes: 1 << 20)
        capture.begin(.response, Self.fields("Content-Type: text/event-stream", "Content-Encoding: gzip"))
        let begun: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
        for part in [begun, [0xFF, 0xFF, 0xFF, 0xFF], Array("data: a\n\n".utf8)] {
            capture.read(.response, ByteBuffer(bytes: part), time: 1) { _ in }
        }
        #expect(capture.counts.total == 0 && capture.takeWarnings().count == 1)
    }

    @Test("A nested bomb costs a bounded time, whatever it decodes to, and is read no further")
    func nestedBomb() async throws {
        let program = """
            import sys, zlib
            data = [bytes(1 << 20)] * int(sys.argv[1])
            for _ in range(2):
                coder = zlib.compressobj(9, wbits=31)
                data = [coder.compress(piece) for piece in data] + [coder.flush()]
            print(b"".join(data).hex())
            """
        var costs: [Double] = []
        for megabytes in ["16", "192"] {
            let hex = try await CommandLineTool.run("python3", ["-c", program, megabytes]).output
            let bomb = Self.bytes(hex)
            let cost = ThreadTime.least {
                var capture = MessageCapture(limits: MessageLimits(), totalBytes: 1 << 20)
                capture.begin(.response, Self.fields("Content-Type: text/event-stream", "Content-Encoding: gzip, gzip"))
                capture.read(.response, ByteBuffer(bytes: bomb), time: 1) { _ in }
                #expect(!capture.reads(.response) && capture.takeWarnings().count == 1)
            }
            costs.append(cost)
        }
        // There is twelve times as much in it, and no more of it is read.
        #expect(costs[1] < 4 * costs[0], "\(costs)")
    }

    /// A piece for each text, so many times; the codings are undone in the other order.
    private static func coded(_ parts: [(text: String, times: Int)], _ codings: Int = 1) async throws -> [ByteBuffer] {
        let program = """
            import struct, sys, zlib
            special = {
                "GRPC": lambda times: struct.pack(">BI", 0, times) + bytes(times),
                # A member that has begun, and blocks of it with nothing in them.
                "HEADER": lambda times: b"\\x1f\\x8b\\x08" + bytes(6) + b"\\xff",
                "EMPTY": lambda times: b"\\0\\0\\0\\xff\\xff" * times,
            }
            coders = [zlib.compressobj(9, wbits=31) for _ in range(int(sys.argv[1]))]
            for text, times in zip(sys.argv[2::2], sys.argv[3::2]):
                data = special.get(text, lambda times: text.encode() * times)(int(times))
                for coder in coders:
                    data = coder.compress(data) + coder.flush(zlib.Z_SYNC_FLUSH)
                print(data.hex())
            """
        let arguments = parts.flatMap { [$0.text, "\($0.times)"] }
        let result = try await CommandLineTool.run("python3", ["-c", program, "\(codings)"] + arguments)
        return result.output.split(separator: "\n").map { line in
            ByteBuffer(bytes: bytes(line))
        }
    }

    private static func events(_ codings: String, _ loop: LoopAllowance = LoopAllowance()) -> MessageCapture {
        var capture = MessageCapture(limits: MessageLimits(keptBytes: 10), totalBytes: 1 << 20)
        capture.begin(.response, fields("Content-Type: text/event-stream", "Content-Encoding: \(codings)"), loop)
        return capture
    }

    @Test("A few bytes that hold hundreds of thousands of events are read to a bound, and that is said")
    func manyMessages() async throws {
        let parts = try await Self.coded([("data\n\n", 700_000)])
        var capture = Self.events("gzip")
        var toldCount = 0
        for part in parts { capture.read(.response, part, time: 1) { _ in toldCount += 1 } }
        let bytes = parts.map(\.readableBytes).reduce(0, +)
        #expect(toldCount >= LoopAllowance.messageLimitCount)
        #expect(toldCount <= LoopAllowance.messageLimitCount + bytes / 8 && capture.counts.response == Int64(toldCount))
        let warnings = capture.takeWarnings()
        #expect(warnings.count == 1 && warnings.first?.contains("more messages than came") == true)
    }

    /// A stream that is read on one loop with others, and the sizes of its messages.
    private struct Reading {
        var capture: MessageCapture
        var sizes: [Int64] = []

        init(_ loop: LoopAllowance, _ lines: String...) {
            capture = MessageCapture(limits: MessageLimits(keptBytes: 10), totalBytes: 1 << 20)
            let head = "HTTP/1.1 200 OK\r\n" + lines.map { $0 + "\r\n" }.joined() + "\r\n"
            capture.begin(.response, HeaderList(head: ByteBuffer(string: head)), loop)
        }

        mutating func read(_ parts: [ByteBuffer]) {
            for part in parts { capture.read(.response, part, time: 1) { sizes.append($0.size) } }
        }

        mutating func readOn() { capture.readOn(time: 2) { sizes.append($0.size) } }

        mutating func finish() { capture.finish(nil, time: 3) { sizes.append($0.size) } }
    }

    @Test(
        "What a turn of a loop decompresses has one bound for all streams; past it they wait for another, and none is cut"
    )
    func turns() async throws {
        let parts = try await Self.coded(Array(repeating: ("GRPC", 3 << 20), count: 3) + [("GRPC", 3)])
        let (long, short) = (Array(parts.prefix(1)), try await Self.coded([("GRPC", 3)]))
        let loop = LoopAllowance()
        let head = ["Content-Type: application/grpc", "Content-Encoding: gzip"]
        var streams = (1...4).map { _ in Reading(loop, head[0], head[1]) }
        for index in streams.indices { streams[index].read(long) }
        #expect(streams.map(\.sizes) == [[3 << 20], [], [], []])
        #expect(streams.map(\.capture.isWaiting) == [false, true, true, true])
        // What ends meanwhile is read all the same, as far as honest streams go.
        var brief = Reading(loop, head[0], head[1])
        brief.read(short)
        #expect(brief.sizes == [] && brief.capture.isWaiting)
        brief.finish()
        #expect(brief.sizes == [3] && brief.capture.takeWarnings().isEmpty)
        var bomb = Reading(loop, head[0], head[1])
        bomb.read(long)
        bomb.finish()
        #expect(bomb.sizes.allSatisfy { $0 < 1 << 20 } && !bomb.capture.takeWarnings().isEmpty)
        for _ in 1...3 {
            loop.endTurn()
            for index in streams.indices { streams[index].readOn() }
        }
        #expect(streams.map(\.sizes) == Array(repeating: [3 << 20], count: 4))
        #expect(streams.allSatisfy { $0.capture.reads(.response) && !$0.capture.isWaiting })
        // What waits stands before what comes.
        loop.endTurn()
        streams[0].read(Array(parts.dropFirst()))
        #expect(streams[0].sizes == [3 << 20, 3 << 20] && streams[0].capture.isWaiting)
        loop.endTurn()
        streams[0].readOn()
        #expect(streams[0].sizes == [3 << 20, 3 << 20, 3 << 20, 3])
    }

    @Test("What stages give each other counts as well, though nothing comes of it")
    func between() async throws {
        let parts = try await Self.coded([("HEADER", 1)] + Array(repeating: ("EMPTY", 600_000), count: 3))
        var capture = Self.events("gzip, gzip")
        for part in parts { capture.read(.response, part, time: 1) { _ in } }
        #expect(capture.reads(.response) && capture.isWaiting && capture.takeWarnings().isEmpty)
    }

    @Test("The events of a stream wait for another turn as well where one has many of them, and are all told")
    func manyElsewhere() async throws {
        let parts = try await Self.coded([("data: one\n\n", 1), ("data: two\n\n", 1)])
        let loop = LoopAllowance()
        var many = Self.events("", loop)
        var stream = Self.events("gzip", loop)
        var texts: [String?] = []
        many.read(.response, ByteBuffer(string: String(repeating: "data\n\n", count: 5_000)), time: 1) { _ in }
        for part in parts { stream.read(.response, part, time: 1) { texts.append($0.text) } }
        #expect(texts == [] && stream.isWaiting && many.counts.response == 5_000)
        loop.endTurn()
        stream.readOn(time: 2) { texts.append($0.text) }
        #expect(texts == ["one", "two"] && !stream.isWaiting && stream.takeWarnings().isEmpty)
    }

    @Test("A WebSocket's compressed messages wait as well, and a close frame behind them is known at once")
    func waitingSocket() async throws {
        let long = try await Self.coded([("GRPC", 5 << 20)])
        let loop = LoopAllowance()
        var other = Reading(loop, "Content-Type: application/grpc", "Content-Encoding: gzip")
        other.read(long)
        var capture = MessageCapture(limits: MessageLimits(), totalBytes: 1 << 20)
        capture.beginWebSocket(WebSocketCompression("permessage-deflate"), loop)
        // "Hello" as RFC 7692 §7.2.3.1 has it.
        let hello = Frames.frame(1, [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00], reserved: 0x40)
        let frames = hello + Frames.frame(1, Array("plain".utf8)) + Frames.frame(8, [0x03, 0xE8])
        var messages: [StreamMessage] = []
        for half in [frames.prefix(3), frames.dropFirst(3)] {
            capture.read(.response, ByteBuffer(bytes: half), time: 1) { messages.append($0) }
        }
        #expect(messages.isEmpty && capture.isWaiting && capture.closeCode(.response) == 1_000)
        #expect(!capture.isWithinMessage(.response))
        loop.endTurn()
        capture.readOn(time: 2) { messages.append($0) }
        #expect(messages.map(\.label) == ["text", "text", "close"])
        #expect(messages.prefix(2).map(\.text) == ["Hello", "plain"])
        #expect(messages.allSatisfy { $0.problem == nil && $0.time == 1 } && capture.closeCode(.response) == 1_000)
    }

    @Test(
        "What has come of a message is counted until it is whole; where there is no room for it, it is measured only",
        arguments: [StreamMessage.Kind.webSocket, .event, .grpc],
        [true, false]
    )
    func unfinished(kind: StreamMessage.Kind, hasRoom: Bool) {
        let budget = CaptureBudget(limitBytes: hasRoom ? 1 << 20 : 100_000)
        let loop = LoopAllowance(budget: budget)
        var capture = MessageCapture(limits: MessageLimits(), totalBytes: 1 << 20)
        let payload = [UInt8](repeating: 0x61, count: 200_000)
        let bytes: [UInt8]
        switch kind {
        case .webSocket:
            capture.beginWebSocket(WebSocketCompression(), loop)
            bytes = Frames.frame(1, payload)
        case .event:
            capture.begin(.response, Self.fields("Content-Type: text/event-stream"), loop)
            bytes = Array("data:".utf8) + payload + Array("\n\n".utf8)
        case .grpc:
            capture.begin(.response, Self.fields("Content-Type: application/grpc"), loop)
            bytes = GRPCReaderTests.message(payload)
        }
        var messages: [StreamMessage] = []
        capture.read(.response, ByteBuffer(bytes: bytes.prefix(100_000)), time: 1) { messages.append($0) }
        #expect(messages.isEmpty && (budget.streamBytes >= 99_900) == hasRoom)
        #expect(hasRoom || budget.streamBytes == 0)
        capture.read(.response, ByteBuffer(bytes: bytes.dropFirst(100_000)), time: 1) { messages.append($0) }
        #expect(budget.streamBytes == 0 && messages.map(\.size) == [200_000])
        #expect(messages.map(\.payload.readableBytes) == [hasRoom ? 200_000 : 0])
        #expect((messages.first?.problem?.contains("memory") == true) == !hasRoom)
        // And what is left of the last one is given back with the stream.
        capture.read(.response, ByteBuffer(bytes: bytes.prefix(20_000)), time: 1) { _ in }
        #expect(budget.streamBytes > 0)
        capture.finish(nil, time: 2) { _ in }
        #expect(budget.streamBytes == 0)
    }

    @Test("A message that outgrows the room there is keeps what it had")
    func outgrown() {
        let budget = CaptureBudget(limitBytes: 400_000)
        var capture = MessageCapture(limits: MessageLimits(), totalBytes: 1 << 20)
        capture.beginWebSocket(WebSocketCompression(), LoopAllowance(budget: budget))
        let frame = Frames.frame(1, [UInt8](repeating: 0x61, count: 200_000))
        var messages: [StreamMessage] = []
        for part in [frame.prefix(60_000), frame[60_000..<160_000], frame.dropFirst(160_000)] {
            capture.read(.response, ByteBuffer(bytes: part), time: 1) { messages.append($0) }
            #expect(budget.streamBytes == (messages.isEmpty ? 64 << 10 : 0))
        }
        #expect(messages.map(\.size) == [200_000] && messages.map(\.payload.readableBytes) == [64 << 10])
        #expect(messages.first?.isTruncated == true && messages.first?.problem?.contains("memory") == true)
    }

    @Test(
        "The decoders of open streams have a bound together; a stream without one says so, and has its turn after others"
    )
    func decoderMemory() async throws {
        let parts = try await Self.coded([("data: one\n\n", 1), ("data: two\n\n", 1)])
        let budget = CaptureBudget(limitBytes: 200 << 10)
        let loop = LoopAllowance(budget: budget)
        func open() -> (MessageCapture, Int64) {
            var capture = Self.events("gzip", loop)
            capture.read(.response, parts[0], time: 1) { _ in }
            return (capture, capture.counts.response)
        }
        var first = open()
        let second = open()
        #expect(first.1 == 1 && second.1 == 1 && budget.streamBytes > 64 << 10)
        var third = open().0
        third.read(.response, parts[1], time: 1) { _ in }
        #expect(third.counts.response <= 1 && third.takeWarnings().first?.contains("memory") == true)
        #expect(budget.streamBytes <= 100 << 10)
        first.0.finish(nil, time: 2) { _ in }
        var late = open().0
        late.read(.response, parts[1], time: 1) { _ in }
        #expect(late.counts.response == 2)
        withExtendedLifetime(second) {}
    }

    @Test("Messages for which the record has no room are not kept, which is said, with how many they were")
    func full() {
        let loop = LoopAllowance(budget: CaptureBudget(limitBytes: 0))
        var capture = Self.events("", loop)
        let many = ByteBuffer(string: String(repeating: "data\n\n", count: 5_000))
        capture.read(.response, many, time: 1) { _ in }
        #expect(capture.counts.response == Int64(LoopAllowance.messageLimitCount))
        loop.endTurn()
        capture.read(.response, ByteBuffer(string: "data: on\n\n"), time: 1) { _ in }
        #expect(capture.counts.response == Int64(LoopAllowance.messageLimitCount) + 1)
        capture.finish(nil, time: 2) { _ in }
        let warnings = capture.takeWarnings()
        #expect(warnings.count == 2 && warnings.last?.contains("904") == true)
    }

    @Test("Past the bound of a side, messages are counted and measured only")
    func total() {
        var capture = MessageCapture(limits: MessageLimits(), totalBytes: 10)
        capture.begin(.response, Self.fields("Content-Type: text/event-stream"))
        var messages: [StreamMessage] = []
        capture.read(.response, ByteBuffer(string: "data: 12345678\n\ndata: 123\n\ndata: 12\n\n"), time: 1) {
            messages.append($0)
        }
        #expect(messages.map(\.isTruncated) == [false, true, false])
        #expect(messages.map(\.size) == [8, 3, 2] && messages[1].problem != nil)
    }

    @Test("A gRPC call ends with its status, from the trailers or from a head that has nothing else")
    func grpcStatus() {
        for response in [
            Self.message("content-type: application/grpc", trailers: "grpc-status: 0\r\ngrpc-message: fine\r\n\r\n"),
            Self.message("content-type: application/grpc", "grpc-status: 0", "grpc-message: fine"),
        ] {
            var capture = MessageCapture(limits: MessageLimits(), totalBytes: 1 << 20)
            capture.begin(.request, Self.fields("Content-Type: application/grpc+proto"))
            capture.begin(.response, response.fields)
            var messages: [StreamMessage] = []
            capture.read(.request, ByteBuffer(bytes: GRPCReaderTests.message([1])), time: 1) { messages.append($0) }
            capture.finish(response, time: 2) { messages.append($0) }
            #expect(messages.map(\.label) == ["message", "trailers"] && messages.last?.status == 0)
            #expect(messages.last?.text?.contains("grpc-message: fine") == true)
        }
    }

    @Test(
        "Other bodies have no messages",
        arguments: ["text/plain", "application/json", "application/grpc-web-text", "text/event-streams"]
    )
    func others(type: String) {
        var capture = MessageCapture(limits: MessageLimits(), totalBytes: 1 << 20)
        capture.begin(.request, Self.fields("Content-Type: text/event-stream"))
        capture.begin(.response, Self.fields("Content-Type: \(type)"))
        #expect(!capture.reads(.request) && !capture.reads(.response))
    }
}

extension MessageCapture {
    /// The same on a loop of its own.
    fileprivate mutating func begin(_ side: MessageSide, _ fields: HeaderList) { begin(side, fields, LoopAllowance()) }
}
