import Foundation
import NIOCore
import Proxy
import Support
import Testing
import Traffic

@Suite("Streams through the proxy", .timeLimit(.minutes(15)))
struct StreamTests {
    private static let sse = Array(
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n".utf8
    )

    private static func chunk(_ bytes: [UInt8]) -> [UInt8] {
        Array((String(bytes.count, radix: 16) + "\r\n").utf8) + bytes + [13, 10]
    }

    /// A request whose body goes on: the origin sends the next part of the response for each chunk of it.
    private static func origin(_ head: [UInt8], _ parts: [[UInt8]], trailers: String = "") async throws
        -> LoopbackOrigin
    {
        let (next, last) = (chunk(Array("next".utf8)), Array("0\r\n\r\n".utf8))
        let asked = Watched(0)
        return try await LoopbackOrigin.start { unanswered in
            if let end = unanswered.firstRange(of: Array("\r\n\r\n".utf8)), unanswered.first == UInt8(ascii: "P") {
                return .init(consuming: end.upperBound, .send(head))
            }
            if unanswered.starts(with: next) {
                let number = asked.update { asked in
                    asked += 1
                    return asked - 1
                }
                return .init(consuming: next.count, .send(chunk(parts[min(number, parts.count - 1)])))
            }
            guard unanswered.starts(with: last) else { return nil }
            return .init(consuming: last.count, .send(Array("0\r\n\(trailers)\r\n".utf8)))
        }
    }

    private static func request(_ port: Int, _ fields: String = "") -> String {
        "POST http://127.0.0.1:\(port)/ HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\(fields)Transfer-Encoding: chunked\r\n\r\n"
    }

    @Test("Each event is with the client and in the record before the next is sent")
    func lockStep() async throws {
        let events = (1...20).map { Array("id: \($0)\ndata: event \($0)\n\n".utf8) }
        let origin = try await Self.origin(Self.sse, events)
        try await RunningProxy.run { proxy in
            let client = try await proxy.connect()
            try await client.send(Self.request(origin.port))
            for number in 1...20 {
                try await client.send(Self.chunk(Array("next".utf8)))
                _ = try await client.read(through: "data: event \(number)\n\n\r\n")
                let told = try await proxy.sink.told("event \(number)") { $0.messages.values.first?.count == number }
                #expect(told.ended.isEmpty && told.messages.values.first?.last?.eventID == "\(number)")
            }
            try await client.send("0\r\n\r\n")
            #expect(try await client.read(through: "0\r\n\r\n") == "0\r\n\r\n")
            let record = try await proxy.record()
            #expect(record.exchange.outcome == .completed)
            #expect(record.exchange.messages == MessageCounts(request: 0, response: 20))
            #expect(record.messages.map(\.text) == (1...20).map { "event \($0)" })
            let times = record.messages.map(\.time)
            #expect(times == times.sorted() && Set(times).count > 1)
            #expect(record.responseBody == events.flatMap { $0 }, "The body is kept beside its events")
        }
    }

    @Test("The bytes of a body that does not end are in the record while it runs")
    func endless() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n"
        let origin = try await Self.origin(Array(head.utf8), [Array("some text".utf8)])
        try await RunningProxy.run { proxy in
            let client = try await proxy.connect()
            try await client.send(Self.request(origin.port))
            for count in 1...3 {
                try await client.send(Self.chunk(Array("next".utf8)))
                _ = try await client.read(through: "some text\r\n")
                let told = try await proxy.sink.told("\(count * 9) bytes", until: { $0.responseBytes == count * 9 })
                #expect(told.ended.isEmpty && told.opened.count == 1)
            }
            try await client.send("0\r\n\r\n")
            _ = try await client.read(through: "0\r\n\r\n")
            #expect(try await proxy.record().exchange.outcome == .completed)
        }
    }

    @Test("The messages of a gRPC call are told one by one on both sides, and its status at the end")
    func grpc() async throws {
        let head =
            "HTTP/1.1 200 OK\r\nContent-Type: application/grpc\r\nTransfer-Encoding: chunked\r\nTrailer: grpc-status\r\n\r\n"
        let answer = GRPCReaderTests.message([9, 8, 7])
        // Half of a message with each chunk.
        let origin = try await Self.origin(
            Array(head.utf8),
            [Array(answer.prefix(4)), Array(answer.dropFirst(4))],
            trailers: "grpc-status: 0\r\n"
        )
        try await RunningProxy.run { proxy in
            let client = try await proxy.connect()
            try await client.send(Self.request(origin.port, "Content-Type: application/grpc+proto\r\nTE: trailers\r\n"))
            // One at a time: what comes together may be passed on in one chunk.
            for count in 1...2 {
                try await client.send(Self.chunk(Array("next".utf8)))
                _ = try await origin.connections("a part asked for") {
                    $0.first?.receivedText.ranges(of: "next").count == count
                }
            }
            try await client.send("0\r\n\r\n")
            _ = try await client.read(through: "grpc-status: 0\r\n\r\n")
            let record = try await proxy.record()
            let received = record.messages.filter { $0.side == .response }
            #expect(received.map(\.label) == ["message", "trailers"] && received.map(\.status) == [nil, 0])
            #expect(received.first?.bytes == [9, 8, 7])
            // What this client sent is no gRPC, which the record says and nobody else minds.
            #expect(record.exchange.warnings.contains { $0.contains("The client sent something that is no gRPC") })
        }
    }

    @Test(
        "A gRPC call may be silent for longer than another request, before its response too",
        arguments: ["application/grpc", "application/grpc-web-text+proto"]
    )
    func silentCall(type: String) async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nContent-Length: 0\r\n\r\n"
        let gate = Gate()
        let origin = try await LoopbackOrigin.start(
            script: { unanswered in
                guard unanswered.suffix(4) == Array("\r\n\r\n".utf8) else { return nil }
                return .init(consuming: unanswered.count, .held(gate), .send(Array(head.utf8)))
            }
        )
        try await RunningProxy.run(clock: TestClock()) { proxy in
            let client = try await proxy.connect()
            let host = "127.0.0.1:\(origin.port)"
            try await client.send(
                "POST http://\(host)/ HTTP/1.1\r\nHost: \(host)\r\nContent-Type: \(type)\r\nContent-Length: 0\r\n\r\n"
            )
            _ = try await origin.connections("the call") { ($0.first?.receivedBytes ?? 0) > 0 }
            // Past the limits of another exchange, which are 120 s.
            try await proxy.pass(.seconds(3_000))
            gate.open()
            #expect(try await client.response().code == 200)
            #expect(try await proxy.record().exchange.outcome == .completed)
        }
    }

    /// A few bytes of gzip within gzip that decode to far more than is decoded.
    private static func bomb() async throws -> [UInt8] {
        let program = """
            import base64, gzip
            print(base64.b64encode(gzip.compress(gzip.compress(bytes(16 << 20)))).decode())
            """
        let text = try await CommandLineTool.run("python3", ["-c", program]).output
        return Array(try #require(Data(base64Encoded: text.trimmingCharacters(in: .whitespacesAndNewlines))))
    }

    @Test(
        "A stream may be silent for longer than another response, also where its events are read no further",
        arguments: [false, true]
    )
    func silent(isBomb: Bool) async throws {
        let event = isBomb ? try await Self.bomb() : Array("data: late\n\n".utf8)
        let head =
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: \(event.count * 2)\r\n"
            + "Content-Encoding: \(isBomb ? "gzip, gzip" : "identity")\r\n\r\n"
        let gate = Gate()
        let origin = try await LoopbackOrigin.start { unanswered in
            guard unanswered.suffix(4) == Array("\r\n\r\n".utf8) else { return nil }
            return .init(
                consuming: unanswered.count,
                .send(Array(head.utf8) + event),
                .held(gate),
                .send(event)
            )
        }
        try await RunningProxy.run(clock: TestClock()) { proxy in
            let client = try await proxy.connect()
            try await client.send(
                "GET http://127.0.0.1:\(origin.port)/ HTTP/1.1\r\nHost: 127.0.0.1:\(origin.port)\r\n\r\n"
            )
            _ = try await client.read(count: head.utf8.count + event.count)
            // Past the limit of another response, which is 120 s.
            try await proxy.pass(.seconds(3_000))
            gate.open()
            #expect(try await client.read(count: event.count) == event)
            let exchange = try await proxy.record().exchange
            #expect(exchange.outcome == .completed && exchange.warnings.isEmpty == !isBomb, "\(exchange.warnings)")
        }
    }
}
