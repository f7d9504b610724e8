import Foundation
import Support
import Testing

/// What many clients that do nothing cost: those that stall in the middle of a large response, and those that only stay.
@Suite(.serialized, .timeLimit(.minutes(15)))
struct ManyClientsMemoryTests {
    /// What all together may have on their way to the store: `captureLimitBytes`.
    private static let captureLimitBytes = 64 << 20
    /// What the proxy may hold for one stalled response: what its buffers take, and a piece that is being gathered.
    private static let stalledLimitBytes = 1 << 20
    /// What an idle connection may cost: 150 MB for 5,000 of them.
    private static let idleLimitBytes = 30_000

    @Test("Clients that stall in large responses cost the proxy what is declared, and less than a megabyte each")
    func stalled() async throws { try await Self.stalled(20, megabytes: 20) }

    @Test("An idle connection costs less than 30 kB")
    func idle() async throws { try await Self.idle(500) }

    /// Has so many clients stall in a response of so many megabytes.
    ///
    /// - Throws: when something does not come in time.
    static func stalled(_ count: Int, megabytes: Int) async throws {
        let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
        let origin = try await LoopbackOrigin.start(keeps: 0) { unanswered in
            RawRequest(first: unanswered).map { request in
                let size = request.target == "/large" ? megabytes << 20 : 0
                let head = Array("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n".utf8)
                return .init(consuming: request.bytes.count, .send(head), .stream(piece, times: size >> 20))
            }
        }
        let inspect = try await RunningInspect.start()
        let before = try await warmedUp(inspect, origin)
        var clients: [RawClient] = []
        for _ in 0..<count {
            let client = try await RawClient.connect(port: inspect.port)
            try await client.setReading(false)
            try await client.send(request("/large", to: origin))
            clients.append(client)
        }
        _ = try await origin.connections("\(count) requests", within: .seconds(60)) { connections in
            connections.count { $0.sentBytes > 1_000 } >= count
        }
        _ = try await origin.settled({ $0.map(\.sentBytes).reduce(0, +) }, for: .seconds(1))
        let growth = try await ResidentMemory.bytes(of: inspect.process.id) - before
        print("\(count) clients stalled in \(megabytes) MB each: \(growth >> 10) KB, \((growth >> 10) / count) KB each")
        // Half as much again for what the allocator and the store keep of it; held whole they would be three times that.
        #expect(growth < (captureLimitBytes + count * stalledLimitBytes) * 3 / 2)
        // None of them is lost: one that goes on has everything.
        let last = clients.removeLast()
        try await last.setReading(true)
        _ = try await last.read(through: "\r\n\r\n")
        for _ in 0..<megabytes { _ = try await last.read(count: 1 << 20) }
        for client in clients { try? await client.reset() }
        let rows = try await inspect.listing(with: "all exchanges to end") { listing in
            listing.exchanges.count { $0.outcome != "pending" && $0.target.hasSuffix("/large") } == count
        }
        #expect(rows.exchanges.count { $0.outcome == "completed" && $0.responseBytes == megabytes << 20 } == 1)
    }

    /// Has so many clients stay that have asked once.
    ///
    /// - Throws: when something does not come in time.
    static func idle(_ count: Int) async throws {
        let origin = try await LoopbackOrigin.start(
            keeps: 0,
            script: RawRequest.answering { _ in Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8) }
        )
        let inspect = try await RunningInspect.start()
        let before = try await warmedUp(inspect, origin)
        var clients: [RawClient] = []
        for _ in 0..<count {
            let client = try await RawClient.connect(port: inspect.port)
            try await client.send(request("/", to: origin))
            _ = try await client.read(through: "ok")
            clients.append(client)
        }
        let now = try await ResidentMemory.bytes(of: inspect.process.id)
        print("\(count) idle connections: \((now - before) >> 10) KB, the process \(now >> 20) MB")
        #expect(now - before < count * idleLimitBytes + (8 << 20) && now < 150 << 20)
        for client in clients {
            try await client.send(request("/", to: origin))
            _ = try await client.read(through: "ok")
        }
    }

    private static func request(_ path: String, to origin: LoopbackOrigin) -> String {
        "GET http://127.0.0.1:\(origin.port)\(path) HTTP/1.1\r\nHost: 127.0.0.1:\(origin.port)\r\n\r\n"
    }

    /// The proxy's memory once it has done some work.
    private static func warmedUp(_ inspect: RunningInspect, _ origin: LoopbackOrigin) async throws -> Int {
        for _ in 0..<20 {
            let client = try await RawClient.connect(port: inspect.port)
            try await client.send(request("/", to: origin))
            _ = try await client.read(through: "\r\n\r\n")
        }
        return try await ResidentMemory.bytes(of: inspect.process.id)
    }
}
