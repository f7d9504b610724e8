import NIOCore
import Store
import Testing
import Traffic

@Suite("Bodies in the store", .timeLimit(.minutes(15)))
struct BodyTests {
    /// Held by the suite, so that the directory outlives the test.
    private let home: TemporaryStore

    init() throws { home = try TemporaryStore() }

    private func ended(_ token: CaptureToken, _ bytes: [UInt8], length: Int? = nil, tail: [UInt8]? = nil)
        -> ExchangeEvent
    {
        .ended(
            token,
            .plain().with(responseBody: bytes, length: length),
            request: ByteBuffer(),
            response: ByteBuffer(bytes: tail ?? bytes)
        )
    }

    @Test("Equal bodies are kept once, on either side and whether they came whole or in pieces")
    func sharing() async throws {
        let store = try home.open()
        let bytes = pattern(700_000)
        await store.record([ended(1, bytes)])
        await store.record([ended(2, bytes)])
        await store.record([.opened(3, .plain(outcome: .pending))])
        await store.record([.body(3, .response, ByteBuffer(bytes: bytes[..<300_000]))])
        await store.record([ended(3, bytes, tail: Array(bytes[300_000...]))])
        var upload = Exchange.plain("POST")
        upload.request.body = .measured(bytes)
        await store.record([.ended(4, upload, request: ByteBuffer(bytes: bytes), response: ByteBuffer())])
        for id in 1...3 as ClosedRange<ExchangeID> { #expect(try store.wholeBody(id, .response) == bytes) }
        #expect(try store.wholeBody(4, .request) == bytes)
        try store.close()
        #expect(try home.bodyBytes() == bytes.count)
    }

    @Test("A body with a number that no body can have is missing", arguments: StoreDamage.bodyBeyondIDs)
    func beyondIDs(damage: StoreDamage) async throws {
        let bytes = pattern(5000)
        let store = try home.open()
        await store.record([ended(1, bytes), ended(2, pattern(6000))])
        try store.close()
        try damage.happen(to: home)
        let writer = try home.open()
        #expect(try writer.body(1, .response, offset: 0, limitBytes: 10_000) == [])
        #expect(try writer.wholeBody(2, .response) == pattern(6000))
        #expect(try writer.check().problems.contains { $0.hasPrefix("body ") && $0.hasSuffix("is missing") })
        #expect(try writer.delete([1]).deleted == 1)
        try writer.close()
        // No bytes of another body went with it.
        #expect(try home.bodyBytes() == 11_000)
    }

    @Test("Bodies whose length or kept bytes differ are not shared, though the digest is the same")
    func notShared() async throws {
        let store = try home.open()
        let bytes = pattern(5000)
        var exchanges: [ExchangeEvent] = []
        for (token, (kept, length)) in [(5000, 5000), (4000, 5000), (4000, 9000)].enumerated() {
            let part = Array(bytes[..<kept])
            exchanges.append(
                .ended(
                    CaptureToken(token),
                    .plain().with(responseBody: part, length: length, digest: 7),
                    request: ByteBuffer(),
                    response: ByteBuffer(bytes: part)
                )
            )
        }
        await store.record(exchanges)
        #expect(try store.wholeBody(1, .response).count == 5000)
        #expect(try store.wholeBody(2, .response).count == 4000)
        #expect(try store.exchange(3)?.response?.body.isTruncated == true)
    }

    @Test(
        "A body of many chunks is read from any place",
        arguments: [0, 1, 262_143, 262_144, 262_145, 899_999, 900_000, 900_001]
    )
    func offsets(offset: Int) async throws {
        let store = try home.open()
        let bytes = pattern(900_000)
        await store.record([ended(1, bytes)])
        let expected = Array(bytes.dropFirst(offset).prefix(300_000))
        #expect(try store.body(1, .response, offset: Int64(offset), limitBytes: 300_000) == expected)
        #expect(try store.body(1, .response, offset: Int64(offset), limitBytes: 0) == [])
        try store.close()
        #expect(try home.longestBodyPiece() == 256 << 10)
    }

    @Test("A trickled body becomes few rows and comes back whole")
    func trickle() async throws {
        let store = try home.open()
        let bytes = pattern(40_000)
        await store.record([.opened(1, .plain(outcome: .pending))])
        for start in stride(from: 0, to: 39_000, by: 100) {
            await store.record([.body(1, .response, ByteBuffer(bytes: bytes[start..<start + 100]))])
        }
        #expect(try store.exchange(1)?.outcome == .pending)
        await store.record([ended(1, bytes, tail: Array(bytes[39_000...]))])
        #expect(try store.wholeBody(1, .response) == bytes)
        try store.close()
        #expect(try home.count(.bodyPiece) < 6)
    }

    @Test("Bytes of both bodies of several open exchanges do not mix")
    func interleaved() async throws {
        let store = try home.open()
        let bodies = (0..<6).map { pattern(30_000 + $0 * 1000, seed: $0) }
        let sides: [MessageSide] = [.request, .response]
        await store.record((0..<3).map { .opened($0, .plain("POST", outcome: .pending)) })
        for piece in 0..<3 {
            var events: [ExchangeEvent] = []
            for (position, bytes) in bodies.enumerated() {
                let part = bytes[piece * 10_000..<(piece + 1) * 10_000]
                events.append(.body(CaptureToken(position / 2), sides[position % 2], ByteBuffer(bytes: part)))
            }
            await store.record(events)
        }
        let ends = (0..<3).map { position -> ExchangeEvent in
            var exchange = Exchange.plain("POST").with(responseBody: bodies[position * 2 + 1])
            exchange.request.body = .measured(bodies[position * 2])
            return .ended(
                CaptureToken(position),
                exchange,
                request: ByteBuffer(bytes: bodies[position * 2][30_000...]),
                response: ByteBuffer(bytes: bodies[position * 2 + 1][30_000...])
            )
        }
        await store.record(ends)
        for position in 0..<3 {
            #expect(try store.wholeBody(ExchangeID(position + 1), .request) == bodies[position * 2])
            #expect(try store.wholeBody(ExchangeID(position + 1), .response) == bodies[position * 2 + 1])
        }
    }

    @Test("No more than the limit is kept, and the record says so")
    func limit() async throws {
        let store = try home.open(bodyLimitBytes: 10_000)
        let bytes = pattern(25_000)
        await store.record([ended(1, bytes)])
        #expect(try store.wholeBody(1, .response) == Array(bytes[..<10_000]))
        let body = try #require(try store.exchange(1)?.response?.body)
        #expect(body.length == 25_000 && body.kept == 10_000 && body.isTruncated)
    }

    @Test("An exchange that is open for long shows the bytes that are there so far")
    func soFar() async throws {
        let store = try home.open()
        await store.record([.opened(1, .plain(outcome: .pending))])
        await store.record([.body(1, .response, ByteBuffer(string: "data: 1\n\n"))])
        await store.record([.changed(1, .plain(outcome: .pending))])
        #expect(try store.wholeBody(1, .response) == Array("data: 1\n\n".utf8))
    }
}
