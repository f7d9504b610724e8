import Support
import Testing
import Traffic

/// Clients that leave in the midst of a response, as browsers do.
@Suite("A response that its client leaves", .timeLimit(.minutes(15)))
struct LeftResponseTests {
    @Test(
        "A redirect is completed once its client has the head; an event stream and a download are cancelled",
        arguments: [
            ("302 Found\r\nLocation: /next\r\nContent-Length: 900", Outcome.completed),
            ("200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked", .cancelled),
            ("200 OK\r\nContent-Length: 900", .cancelled),
        ]
    )
    func leaves(head: String, outcome: Outcome) async throws {
        let part = head.contains("chunked") ? "9\r\ndata: 1\n\n\r\n" : "<p>Moved"
        let origin = try await LoopbackOrigin.start { unanswered in
            guard unanswered.suffix(4) == Array("\r\n\r\n".utf8) else { return nil }
            return .init(consuming: unanswered.count, .send(Array("HTTP/1.1 \(head)\r\n\r\n\(part)".utf8)))
        }
        try await RunningProxy.run(clock: TestClock()) { proxy in
            let client = try await proxy.connect()
            let host = "127.0.0.1:\(origin.port)"
            try await client.send("GET http://\(host)/ HTTP/1.1\r\nHost: \(host)\r\n\r\n")
            _ = try await client.read(through: part)
            try await client.reset()
            let record = try await proxy.record()
            #expect(record.exchange.outcome == outcome, "\(record.failure)")
            #expect(record.exchange.response?.body.length == (head.contains("chunked") ? 9 : 8))
            if outcome == .completed {
                let note = "The client left with the redirect's head; the rest of the response was not read."
                #expect(record.failure == "none" && record.exchange.warnings == [note])
            } else {
                #expect(record.failure.hasPrefix("client deliver ") && record.exchange.warnings == [])
            }
            _ = try await origin.connections("the end of the upstream's connection") { $0.first?.isClosed == true }
        }
    }
}
