import NIOCore
import NIOEmbedded
import Testing
import Traffic

@testable import Proxy

@Suite(.timeLimit(.minutes(15)))
struct BodyCaptureTests {
    @Test(
        "Pieces are full to the byte and take no more memory than they hold",
        arguments: [1_000, 16_384, 16_393, 65_536]
    )
    func pieces(size: Int) {
        var body = BodyCapture(limitBytes: .max)
        var pieces: [ByteBuffer] = []
        let count = 1_200_000 / size
        for number in 0..<count {
            // As it comes: a part of a buffer that others hold too.
            let read = ByteBuffer(repeating: UInt8(truncatingIfNeeded: number), count: size + 9)
            if let part = read.getSlice(at: 9, length: size), let piece = body.take(part) { pieces.append(piece) }
        }
        #expect(pieces.count == size * count / BodyCapture.pieceBytes)
        #expect(pieces.allSatisfy { $0.readableBytes == BodyCapture.pieceBytes })
        #expect(pieces.allSatisfy { $0.storageCapacity == BodyCapture.pieceBytes })
        pieces.append(body.handOn())
        let whole = pieces.flatMap { $0.readableBytesView }
        #expect(whole == (0..<count).flatMap { Array(repeating: UInt8(truncatingIfNeeded: $0), count: size) })
        #expect(body.length == Int64(whole.count) && body.kept == body.length)
    }

    @Test("What is larger than a piece is handed on whole, and nothing past the limit is kept")
    func large() {
        var body = BodyCapture(limitBytes: 700_000)
        #expect(body.take(ByteBuffer(repeating: 1, count: 300_000))?.readableBytes == 300_000)
        #expect(body.take(ByteBuffer(repeating: 2, count: 100_000)) == nil)
        #expect(body.take(ByteBuffer(repeating: 3, count: 400_000))?.readableBytes == BodyCapture.pieceBytes)
        #expect(body.handOn().readableBytes == 400_000 - BodyCapture.pieceBytes)
        #expect(body.take(ByteBuffer(repeating: 4, count: 10)) == nil)
        #expect(body.length == 800_010 && body.kept == 700_000)
    }

    @Test("What is kept holds no more memory than some twice its own, whatever read it came in")
    func pins() throws {
        let read = ByteBuffer(repeating: 0x61, count: 64 << 10)
        let part = try #require(read.getSlice(at: 5, length: 100))
        var body = BodyCapture(limitBytes: .max)
        _ = body.take(part)
        #expect(body.gathered == part && body.gathered.storageCapacity <= 1_024)
        var exchange = Exchange(
            timeline: Timeline(started: 0),
            method: "GET",
            scheme: .http,
            host: "a.test",
            port: 80,
            target: "/",
            request: Message(head: part, trailers: part),
            client: Peer(token: 1, address: "", tls: nil)
        )
        exchange.response = Message(head: part, trailers: part)
        exchange.interim = [part]
        let loop = EmbeddedEventLoop()
        let sink = RecordingSink()
        let lane = CaptureLane(loop: loop, sink: sink, budget: CaptureBudget(limitBytes: .max), clock: ProxyClock())
        var tap = CaptureTap(exchange, token: 1, bodyLimitBytes: 1_000)
        tap.end(lane) { _ in }
        loop.run()
        let kept = try #require(sink.soFar.ended.first?.exchange)
        let slices = [kept.request.head, kept.request.trailers, kept.response?.head, kept.response?.trailers].compactMap
        { $0 }
        #expect(slices.count == 4 && (slices + kept.interim).allSatisfy { $0 == part && $0.storageCapacity <= 1_024 })
        // What fills its memory is not copied.
        #expect(read.own.storageCapacity == read.storageCapacity)
    }

    @Test("What is told of a body before its end has no digest")
    func unfinished() {
        var body = BodyCapture(limitBytes: .max)
        _ = body.take(ByteBuffer(string: "abc"))
        #expect(body.measure(isFinal: false).sha256.isEmpty && body.measure(isFinal: true).sha256.count == 32)
    }
}
