import Dispatch
import NIOCore
import Proxy
import Support
import Testing
import Traffic

@Suite("Clients that do not read the ends of their responses", .timeLimit(.minutes(15)))
struct UnreadEndTests {
    /// How much two sockets and the proxy hold for a client that reads nothing.
    private func heldBytes() async throws -> Int {
        let origin = try await SlowPeerTests.origin(isSecure: false)
        var held = 0
        try await RunningProxy.run { proxy in
            let client = try await proxy.connect(holdsLittle: true)
            try await client.setReading(false)
            let authority = "127.0.0.1:\(origin.port)"
            try await client.send("GET http://\(authority)/\(1 << 40) HTTP/1.1\r\nHost: \(authority)\r\n\r\n")
            _ = try await proxy.sink.told("the first of it") { $0.responseBytes > 0 }
            held = try await proxy.sink.settled(\.responseBytes).responseBytes
            try await client.reset()
        }
        return held
    }

    @Test("A proxy stops all the same, once it has waited for them")
    func stops() async throws {
        // Of some of these sockets hold everything, of some the last bytes wait in the proxy, of some the upstream has to wait.
        let held = try await heldBytes()
        let sizes = Array(stride(from: max(64 << 10, held - (1 << 20)), through: held + (1 << 20), by: 64 << 10))
        let origin = try await LoopbackOrigin.start(
            script: RawRequest.answering { request in
                let size = Int(request.target.split(separator: "/").last ?? "") ?? 0
                let head = "HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\nConnection: close\r\n\r\n"
                return Array(head.utf8) + [UInt8](repeating: UInt8(ascii: "x"), count: size)
            }
        )
        var clients: [(size: Int, client: RawClient)] = []
        let sink = RecordingSink()
        try await RunningProxy.run(
            sink,
            configure: {
                $0.drainTimeout = .milliseconds(100)
                $0.idleTimeout = .hours(1)
            }
        ) { proxy in
            for size in sizes {
                let client = try await proxy.connect(holdsLittle: true)
                clients.append((size, client))
                try await client.send(
                    "GET http://127.0.0.1:\(origin.port)/\(size) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
                )
                _ = try await client.read(through: "\r\n\r\n")
                try await client.setReading(false)
            }
            _ = try await proxy.sink.ended(4)
        }
        // Each has had its row by then, and the end of its connection; none the whole of what it did not read, unless the sockets held that.
        let rows = sink.soFar.ended.map(\.exchange)
        #expect(rows.count == sizes.count)
        for (size, client) in clients {
            // It may have seen a break by then, and be closed.
            try? await client.setReading(true)
            let came = try await client.readToEnd().count
            let row = try #require(rows.first { $0.target == "/\(size)" }, "no row of \(size) bytes")
            let isWhole = row.outcome == .completed
            #expect(isWhole || row.failure?.cause == .shutdown, "\(size): \(row.failure as Any)")
            #expect(row.response?.body.length == Int64(size) || !isWhole, "\(size): \(row.response as Any)")
            // Who has seen the end finds the whole in the record; who was cut off has less.
            #expect(came < size || (came == size && isWhole), "\(came) of \(size) bytes came, \(row.outcome)")
        }
    }

    /// Bytes that sockets take from the proxy, while the client reads none of them.
    private static let takenBytes = 512 << 10

    /// A client that has still to read an answer, which the sockets hold with the end of its connection.
    private static func ask(_ proxy: RunningProxy, _ origin: LoopbackOrigin) async throws -> RawClient {
        let client = try await proxy.connect()
        try await client.setReading(false)
        let target = "http://127.0.0.1:\(origin.port)/\(takenBytes)"
        try await client.send("GET \(target) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        #expect(try await proxy.sink.ended().first?.exchange.outcome == .completed)
        for _ in 1...2 { try await proxy.server.beat() }
        return client
    }

    @Test(
        "A client that sends while it reads the end of its response gets all of it, from a proxy that stops too",
        arguments: [false, true]
    )
    func sending(isStopping: Bool) async throws {
        let origin = try await SlowPeerTests.origin(isSecure: false)
        try await RunningProxy.run(clock: TestClock()) { proxy in
            let client = try await Self.ask(proxy, origin)
            if isStopping {
                #expect(try await proxy.drain() > 0)
            } else {
                // The time for what comes behind a response.
                try await proxy.pass(.seconds(2))
            }
            for _ in 1...2 { try await proxy.server.beat() }
            // What comes to a closed socket is answered with a reset, and the socket throws away what it holds.
            try await client.send("x")
            try await client.setReading(true)
            while !client.soFar.isEnded { try? await client.send("x") }
            let came = try await client.readToEnd()
            let head = try #require(came.firstRange(of: Array("\r\n\r\n".utf8)))
            #expect(came.count - head.upperBound == Self.takenBytes)
        }
    }

    @Test("A request that was sent ahead does not begin where the answer before it finds the client gone")
    func isGone() async throws {
        let asked = Watched([String]())
        let origin = try await LoopbackOrigin.start(
            script: RawRequest.answering { request in
                asked.update { $0.append(request.target) }
                return Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8)
            }
        )
        let leaving = Watched(RawClient?.none)
        let sink = RecordingSink {
            // Its reset is with the kernel before the proxy writes, which has not asked the kernel since.
            guard
                let client = leaving.update({ client in
                    defer { client = nil }; return client
                })
            else { return }
            let isGone = DispatchSemaphore(value: 0)
            client.reset { isGone.signal() }
            isGone.wait()
        }
        try await RunningProxy.run(sink) { proxy in
            let client = try await proxy.connect()
            leaving.update { $0 = client }
            let get = "GET http://127.0.0.1:\(origin.port)/TARGET HTTP/1.1\r\nHost: a\r\n\r\n"
            try await client.send(get.replacing("TARGET", with: "first") + get.replacing("TARGET", with: "ahead"))
            #expect(try await sink.ended().map(\.exchange.target) == ["/first"])
            try await proxy.serves(origin)
        }
        #expect(asked.value.filter { $0 == "/ahead" } == [] && asked.value.first == "/first", "\(asked.value)")
    }
}
