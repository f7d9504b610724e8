import NIOCore
import Support
import Testing
import Traffic

@Suite("The time of day in the record", .timeLimit(.minutes(15)))
struct RecordTimeTests {
    @Test("Rows and the messages of a stream are dated by the clock that was passed in")
    func dates() async throws {
        let event = "data: now\n\n"
        let answer =
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: \(event.utf8.count)\r\n\r\n\(event)"
        let origin = try await LoopbackOrigin.start { unanswered in
            guard unanswered.suffix(4) == Array("\r\n\r\n".utf8) else { return nil }
            return .init(consuming: unanswered.count, .send(Array(answer.utf8)))
        }
        let clock = TestClock()
        let made = Moment.microseconds(clock.date)
        try await RunningProxy.run(clock: clock) { proxy in
            for count in 1...2 {
                try await proxy.pass(.seconds(1_000))
                let now = made + Int64(count) * 1_000_000_000
                #expect(Moment.microseconds(clock.date) == now)
                let client = try await proxy.connect()
                let host = "127.0.0.1:\(origin.port)"
                try await client.send("GET http://\(host)/ HTTP/1.1\r\nHost: \(host)\r\n\r\n")
                _ = try await client.read(count: answer.utf8.count)
                let row = try #require(try await proxy.sink.ended(count).last)
                #expect(row.exchange.timeline.started == now)
                #expect(row.messages.map(\.time) == [now])
            }
        }
    }
}
