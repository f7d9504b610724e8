import NIOCore
import Proxy
import Support
import Testing
import Traffic

/// Answers that are complete before their requests are.
@Suite(.timeLimit(.minutes(15)))
struct EarlyAnswerTests {
    private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nearly"

    /// Answers as soon as it has a head, and reads on.
    ///
    /// The end of one upload may come together with the next request, and a head in pieces.
    private static func origin(_ answer: String = answer) async throws -> LoopbackOrigin {
        let start = Array("POST".utf8)
        return try await LoopbackOrigin.start { unanswered in
            guard let head = unanswered.firstRange(of: start)?.lowerBound else {
                return .init(consuming: max(unanswered.count - start.count + 1, 0))
            }
            guard unanswered[head...].firstRange(of: Array("\r\n\r\n".utf8)) != nil else { return nil }
            return .init(consuming: unanswered.count, .send(Array(answer.utf8)))
        }
    }

    private static func post(_ origin: LoopbackOrigin, length: Int) -> String {
        "POST http://127.0.0.1:\(origin.port)/ HTTP/1.1\r\nHost: 127.0.0.1:\(origin.port)\r\nContent-Length: \(length)\r\n\r\n"
    }

    @Test("An upload that its upstream still reads goes on behind the answer, and so does the connection")
    func goesOn() async throws {
        let origin = try await Self.origin()
        try await RunningProxy.run(clock: TestClock()) { proxy in
            let client = try await proxy.connect()
            for round in 1...2 {
                try await client.send(Self.post(origin, length: 40_000))
                try await client.send([UInt8](repeating: 1, count: 10_000))
                #expect(try await client.response().text == "early")
                for part in 1...3 {
                    // What was sent has passed before time does.
                    let sent = (round - 1) * 40_000 + part * 10_000
                    _ = try await origin.connections("what was sent") { ($0.first?.receivedBytes ?? 0) > sent }
                    try await proxy.pass(.seconds(45))
                    try await client.send([UInt8](repeating: 2, count: 10_000))
                }
                let record = try #require(try await proxy.sink.ended(round).last)
                #expect(record.failure == "none" && record.requestBody.count == 40_000)
                #expect(record.exchange.warnings == [] && record.exchange.request.body.sha256.count == 32)
                #expect(record.responseBody == Array("early".utf8))
            }
            let seen = try await origin.connections("both uploads") { ($0.first?.receivedBytes ?? 0) > 80_000 }
            #expect(seen.count == 1 && seen.allSatisfy { $0.error == nil })
        }
    }

    @Test("The client has the answer when the record has it, or no longer waits for it")
    func withheld() async throws {
        let origin = try await Self.origin()
        try await RunningProxy.run(RecordingSink(.whenAsked), clock: TestClock()) { proxy in
            let client = try await proxy.connect()
            try await client.send(Self.post(origin, length: 10) + "hello")
            let told = try await proxy.sink.told("the answer") { $0.changedCount > 0 && $0.responseBytes == 5 }
            #expect(told.opened.count == 1 && told.ended.isEmpty)
            try await client.stays("without the answer", for: .milliseconds(50)) {
                !String(decoding: $0.unread, as: UTF8.self).contains("early")
            }
            proxy.sink.commit()
            #expect(try await client.response().text == "early")
            try await client.send("world")
            #expect(try await proxy.record().requestBody == Array("helloworld".utf8))
        }
        try await RunningProxy.run(RecordingSink(.whenAsked), clock: TestClock()) { proxy in
            let client = try await proxy.connect()
            try await client.send(Self.post(origin, length: 10) + "hello")
            _ = try await proxy.sink.told("the answer") { $0.changedCount > 0 }
            try await proxy.pass(.milliseconds(500), until: "the answer to be delivered") {
                String(decoding: client.soFar.unread, as: UTF8.self).contains("early")
            }
            #expect(proxy.sink.soFar.ended.isEmpty)
            // The end of the exchange is late as well, and the exchange is one.
            try await client.send("world")
            _ = try await proxy.record()
            try await proxy.pass(.seconds(1))
            #expect(proxy.server.figures.lateCount == 1)
        }
    }

    @Test("A client that has its answer may leave; one that only stops is given up as any other")
    func clientEnds() async throws {
        let origin = try await Self.origin()
        for isReset in [true, false] {
            try await RunningProxy.run { proxy in
                let client = try await proxy.connect()
                try await client.send(Self.post(origin, length: 10) + "hello")
                #expect(try await client.response().text == "early")
                if isReset { try await client.reset() } else { try await client.close() }
                let record = try await proxy.record()
                #expect(record.failure == "none" && record.exchange.outcome == .completed)
                #expect(record.exchange.warnings.contains { $0.contains("complete before the request") })
            }
        }
        try await RunningProxy.run(clock: TestClock()) { proxy in
            let client = try await proxy.connect()
            try await client.send(Self.post(origin, length: 10) + "hello")
            #expect(try await client.response().text == "early")
            try await proxy.expire(.seconds(120), client)
            _ = try await client.readToEnd()
            let record = try await proxy.record()
            #expect(record.failure == "client request timeout" && record.exchange.code == 200)
            #expect(record.responseBody == Array("early".utf8))
        }
    }

    @Test("The head says that the connection is closed where the upstream's is before it has the request")
    func saysClose() async throws {
        let origin = try await Self.origin("HTTP/1.1 413 No\r\nConnection: close\r\nContent-Length: 2\r\n\r\nno")
        try await RunningProxy.run { proxy in
            let client = try await proxy.connect()
            try await client.send(Self.post(origin, length: 10) + "hello")
            let refusal = try await client.response()
            #expect(refusal.code == 413 && refusal.head.contains("\r\nConnection: close\r\n"))
            // What follows a whole request is not this connection's any more.
            try await client.send("world")
            #expect(try await client.readToEnd() == [] && client.soFar.error == nil)
            #expect(try await proxy.record().requestBody == Array("helloworld".utf8))
        }
    }

    @Test("A large upload goes behind its head, so that a server which answers by the head has nothing of it yet")
    func headFirst() async throws {
        let origin = try await Self.origin("HTTP/1.1 413 No\r\nConnection: close\r\nContent-Length: 2\r\n\r\nno")
        try await RunningProxy.run(configure: { $0.uploadDelay = .minutes(30) }) { proxy in
            for length in [512 << 10, 1_000_000] {
                let client = try await proxy.connect()
                try await client.send(Self.post(origin, length: length))
                try await client.send([UInt8](repeating: 1, count: 50_000))
                #expect(try await client.response().code == 413)
                try await client.reset()
            }
            let ended = try await proxy.sink.ended(2)
            #expect(ended.allSatisfy { $0.exchange.code == 413 && $0.exchange.response?.body.length == 2 })
            let seen = try await origin.connections("both to be left") { $0.allSatisfy(\.isClosed) && $0.count == 2 }
            #expect(seen.allSatisfy { $0.receivedText.hasSuffix("\r\n\r\n") }, "\(seen.map(\.receivedBytes))")
        }
    }

    @Test("What waits behind its head goes in time, whole; less does not wait, nor does what a kept connection is sent")
    func behindHead() async throws {
        let origin = try await LoopbackOrigin.start(
            script: RawRequest.answering {
                Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n\(($0.bytes.count - $0.headBytes) % 89 + 10)".utf8)
            }
        )
        let cases = [([1_000_000], TimeAmount.milliseconds(5)), ([(512 << 10) - 1, 1_000_000], .minutes(30))]
        for (lengths, delay) in cases {
            try await RunningProxy.run(configure: { $0.uploadDelay = delay }) { proxy in
                let client = try await proxy.connect()
                for (index, length) in lengths.enumerated() {
                    try await client.send(Self.post(origin, length: length))
                    try await client.send([UInt8](repeating: 3, count: length))
                    #expect(try await client.response().text == "\(length % 89 + 10)")
                    let record = try #require(try await proxy.sink.ended(index + 1).last)
                    #expect(record.failure == "none" && record.exchange.request.body.length == Int64(length))
                }
            }
        }
    }
}
