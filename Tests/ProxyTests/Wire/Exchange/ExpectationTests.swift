import NIOCore
import Support
import Testing
import Traffic

/// A client that asks before it sends its body.
@Suite(.timeLimit(.minutes(15)))
struct ExpectationTests {
    @Test("A refusal is told at once: nobody waits for a body that will not come")
    func refused() async throws {
        let origin = try await LoopbackOrigin.start { unanswered in
            guard unanswered.suffix(4) == [13, 10, 13, 10] else { return nil }
            let answer = "HTTP/1.1 417 No\r\nContent-Length: 2\r\n\r\nno"
            return .init(consuming: unanswered.count, .send(Array(answer.utf8)))
        }
        let host = "127.0.0.1:\(origin.port)"
        // No time passes.
        try await RunningProxy.run(clock: TestClock()) { proxy in
            let client = try await proxy.connect()
            try await client.send(
                "POST http://\(host)/ HTTP/1.1\r\nHost: \(host)\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n"
            )
            let answer = try await client.response()
            #expect(answer.code == 417 && answer.text == "no")
            // Whoever sent the body all the same, or another request, would not be read.
            #expect(answer.head.contains("\r\nConnection: close\r\n"))
            #expect(try await client.readToEnd() == [] && client.soFar.error == nil)
            let record = try await proxy.record()
            #expect(record.exchange.outcome == .completed && record.exchange.code == 417)
        }
    }
}
