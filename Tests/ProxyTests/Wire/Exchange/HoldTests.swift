import NIOCore
import Proxy
import Support
import Testing
import Traffic

/// Delivered implies recorded.
@Suite(.timeLimit(.minutes(15)))
struct HoldTests {
    private static func origin() async throws -> LoopbackOrigin {
        try await LoopbackOrigin.start(
            script: RawRequest.answering { _ in Array("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello".utf8) }
        )
    }

    private func get(_ origin: LoopbackOrigin) -> String {
        "GET http://127.0.0.1:\(origin.port)/ HTTP/1.1\r\nHost: 127.0.0.1:\(origin.port)\r\n\r\n"
    }

    @Test("The last byte of a response leaves when its commit has returned")
    func withheld() async throws {
        let origin = try await Self.origin()
        try await RunningProxy.run(RecordingSink(.whenAsked), clock: TestClock()) { proxy in
            let client = try await proxy.connect()
            try await client.send(get(origin))
            _ = try await proxy.sink.ended()
            // The record is handed over and not committed; a second exchange by another client is made to pass in the meantime.
            let other = try await proxy.connect()
            try await other.send(get(origin))
            _ = try await proxy.sink.ended(2)
            #expect(!String(decoding: client.soFar.unread, as: UTF8.self).contains("hello"))
            proxy.sink.commit()
            #expect(try await client.response().text == "hello")
            #expect(try await other.response().text == "hello")
        }
    }

    @Test(
        "A commit that does not return in time, or fails, does not stop the traffic",
        arguments: [RecordingSink.Commits.whenAsked, .failing]
    )
    func deadline(commits: RecordingSink.Commits) async throws {
        let origin = try await Self.origin()
        try await RunningProxy.run(RecordingSink(commits), clock: TestClock()) { proxy in
            let client = try await proxy.connect()
            for count in 1...3 {
                try await client.send(get(origin))
                if case .whenAsked = commits {
                    _ = try await proxy.sink.ended(count)
                    try await proxy.expire(.seconds(1)) {
                        !client.soFar.isEnded && !String(decoding: client.soFar.unread, as: UTF8.self).contains("hello")
                    }
                }
                #expect(try await client.response().text == "hello")
            }
            #expect(try await proxy.sink.ended(3).count == 3)
        }
    }

    @Test("That exchanges reached their clients before the record is counted and logged, and so is its end")
    func tellsOfLateness() async throws {
        let origin = try await Self.origin()
        let log = KeptLog()
        try await RunningProxy.run(RecordingSink(.whenAsked), clock: TestClock(), log: log) { proxy in
            let client = try await proxy.connect()
            for count in 1...3 {
                try await client.send(get(origin))
                _ = try await proxy.sink.ended(count)
                try await proxy.expire(.seconds(1), client)
                #expect(try await client.response().text == "hello")
                // Late is late: a slow record does not keep up because it commits.
                proxy.sink.commitSoFar()
                try await proxy.server.beat()
            }
            #expect(proxy.server.figures.lateCount == 3)
            #expect(log.lines.value.count == 1, "\(log.lines.value)")
            #expect(log.lines.value[0].contains("does not take what passes within 1 s"))
            proxy.sink.commit()
            try await client.send(get(origin))
            #expect(try await client.response().text == "hello")
            let lines = try await log.lines.wait(for: "a word that it goes on") { $0.count == 2 }
            #expect(lines[1].hasPrefix("warning: ") && lines[1].hasSuffix("within 2 s: 3"), "\(lines)")
            // What is in time is not told of.
            try await client.send(get(origin))
            #expect(try await client.response().text == "hello")
            #expect(proxy.server.figures.lateCount == 3 && log.lines.value.count == 2)
        }
    }

    @Test("What was late is told to the record once that has it: a count and a time for each spell")
    func tellsTheRecord() async throws {
        let origin = try await Self.origin()
        try await RunningProxy.run(RecordingSink(.whenAsked), clock: TestClock()) { proxy in
            let client = try await proxy.connect()
            var lateCount = 0
            for (count, isLate) in [true, true, false, true].enumerated() {
                try await client.send(get(origin))
                _ = try await proxy.sink.ended(count + 1)
                if isLate {
                    try await proxy.expire(.seconds(1), client)
                    #expect(try await client.response().text == "hello")
                }
                #expect(proxy.sink.soFar.late.count == lateCount, "The record does not have it yet")
                proxy.sink.commitSoFar()
                lateCount += isLate ? 1 : 0
                if !isLate { #expect(try await client.response().text == "hello") }
                _ = try await proxy.sink.told("the late exchanges") { [lateCount] in $0.late.count == lateCount }
            }
            let told = proxy.sink.soFar.late
            #expect(told.map(\.count) == [1, 1, 1], "\(told)")
            // The clock stood still but for the waits.
            #expect(told.map { $0.from - told[0].from } == [0, 1_000_000, 2_000_000], "\(told)")
            #expect(told.allSatisfy { $0.from == $0.to }, "\(told)")
        }
    }

    @Test("An exchange that was late and then could not be recorded is not told of as one that was recorded late")
    func lateAndLost() async throws {
        let origin = try await Self.origin()
        try await RunningProxy.run(RecordingSink(.whenAsked), clock: TestClock()) { proxy in
            let client = try await proxy.connect()
            try await client.send(get(origin))
            _ = try await proxy.sink.ended()
            try await proxy.expire(.seconds(1), client)
            #expect(try await client.response().text == "hello")
            proxy.sink.commit(.failing)
            try await client.send(get(origin))
            #expect(try await client.response().text == "hello")
            for _ in 1...2 { try await proxy.server.beat() }
            #expect(proxy.sink.soFar.late.isEmpty && proxy.server.figures.lateCount == 1)
        }
    }

    @Test("The proxy's own answer waits for its record too")
    func ownAnswer() async throws {
        try await RunningProxy.run(RecordingSink(.whenAsked), clock: TestClock()) { proxy in
            let client = try await proxy.connect()
            try await client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = try await proxy.sink.ended()
            #expect(try await proxy.drain() == 1 && client.soFar.unread.isEmpty)
            proxy.sink.commit()
            #expect(try await client.response().code == 508)
        }
    }

    @Test("An exchange that stays open is told as opened, and a short one in a single event")
    func opened() async throws {
        let gate = Gate()
        let origin = try await LoopbackOrigin.start(
            script: { unanswered in
                guard let request = RawRequest(first: unanswered) else { return nil }
                let answer = LoopbackOrigin.Step.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8))
                return request.target == "/slow"
                    ? .init(consuming: request.bytes.count, .held(gate), answer)
                    : .init(consuming: request.bytes.count, answer)
            }
        )
        try await RunningProxy.run(clock: TestClock()) { proxy in
            let client = try await proxy.connect()
            try await client.send(get(origin))
            #expect(try await client.response().text == "ok")
            try await client.send(
                "GET http://127.0.0.1:\(origin.port)/slow HTTP/1.1\r\nHost: 127.0.0.1:\(origin.port)\r\n\r\n"
            )
            _ = try await origin.connections("the request") { $0.first?.receivedText.contains("/slow") == true }
            try await proxy.pass(.milliseconds(20))
            let told = try await proxy.sink.told("an exchange to be opened") { !$0.opened.isEmpty }
            #expect(
                told.ended.count == 1 && told.opened.values.first?.outcome == .pending
                    && told.opened.values.first?.target == "/slow"
            )
            gate.open()
            #expect(try await client.response().text == "ok")
            let ended = try await proxy.sink.ended(2)
            #expect(proxy.sink.soFar.opened.keys.map { $0 } == [ended[1].token])
        }
    }
}
