import NIOCore
import Support
import Testing

@testable import Proxy
@testable import Traffic

/// Delays and throttles of rules: how long things take at least, what waits meanwhile, and what the record says of it.
@Suite("Rules that take time, in flight", .timeLimit(.minutes(15)))
struct PacedRulesTests {
    private static func delay(_ side: MessageSide, _ milliseconds: Int64) -> RuleAction {
        .delay(RuleDelay(side, milliseconds * 1_000...milliseconds * 1_000))
    }

    private static func throttle(_ change: (inout RuleThrottle) -> Void) -> RuleAction {
        var throttle = RuleThrottle()
        change(&throttle)
        return .throttle(throttle)
    }

    private static func get(_ authority: String, _ path: String = "/") -> String {
        "GET http://\(authority)\(path) HTTP/1.1\r\nHost: \(authority)\r\n\r\n"
    }

    private static func body(_ count: Int) -> @Sendable (RawRequest) -> String {
        { _ in
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: \(count)\r\n\r\n"
                + String(repeating: "x", count: count)
        }
    }

    // MARK: Delays

    @Test("A request waits for the sum of its delays before anything is dialled; the record says how long each was")
    func request() async throws {
        let rules = [
            try RuledTraffic.rule("one", Self.delay(.request, 250)),
            try RuledTraffic.rule("two", Self.delay(.request, 150)),
        ]
        try await RuledTraffic.run(rules) { proxy, _, authority in
            let client = try await proxy.connect()
            let start = ContinuousClock.now
            try await client.send(Self.get(authority))
            #expect(try await client.response().text == "ok")
            #expect(start.duration(to: .now) >= .milliseconds(400))
            let exchange = try await proxy.record().exchange
            #expect(exchange.rules.map(\.what) == ["250 ms", "150 ms"])
            #expect(exchange.rules.map(\.microseconds) == [250_000, 150_000])
            #expect(!exchange.rules.isModified && exchange.outcome == .completed)
            #expect(exchange.timeline.blocked ?? 0 >= 390_000)
        }
    }

    @Test("A response waits before its head goes on, and the wait is none of the upstream's")
    func response() async throws {
        let rule = try RuledTraffic.rule("slow", when: "code:200", Self.delay(.response, 400))
        try await RuledTraffic.run([rule]) { proxy, origin, authority in
            let client = try await proxy.connect()
            let start = ContinuousClock.now
            try await client.send(Self.get(authority))
            #expect(try await client.response().text == "ok")
            #expect(start.duration(to: .now) >= .milliseconds(400))
            let exchange = try await proxy.record().exchange
            #expect(exchange.rules.first?.microseconds == 400_000 && exchange.rules.first?.phase == .responseHead)
            #expect(exchange.timeline.receive ?? 0 >= 390_000)
            // The connection serves the next request as if nothing had been.
            proxy.server.setRules(nil)
            try await client.send(Self.get(authority))
            #expect(try await client.response().text == "ok")
            #expect(origin.connections.count == 1)
        }
    }

    @Test("A response that waits for its body waits for its delay after that, and is whole; a stub waits too")
    func held() async throws {
        let answer = RuleAnswers([try RuledTraffic.answer(200, "mine")])
        let rules = [
            try RuledTraffic.rule("free", when: "path:/held body:ok", Self.delay(.response, 200)),
            try RuledTraffic.rule("stub", when: "path:/stub", .respond(answer), Self.delay(.request, 200)),
        ]
        try await RuledTraffic.run(rules) { proxy, origin, authority in
            let client = try await proxy.connect()
            for (path, text) in [("/held", "ok"), ("/stub", "mine")] {
                let start = ContinuousClock.now
                try await client.send(Self.get(authority, path))
                #expect(try await client.response().text == text)
                #expect(start.duration(to: .now) >= .milliseconds(200))
            }
            #expect(origin.connections.count == 1)
            #expect(try await proxy.sink.ended(2).allSatisfy { $0.exchange.outcome == .completed })
            try await RuledTraffic.keeps(0, proxy)
        }
    }

    @Test(
        "A client that resets its connection ends the wait, however long that is; nothing is dialled before it is over",
        arguments: [MessageSide.request, .response]
    )
    func leaving(side: MessageSide) async throws {
        let rule = try RuledTraffic.rule("never", Self.delay(side, 3_600_000))
        try await RuledTraffic.run([rule]) { proxy, origin, authority in
            let client = try await proxy.connect()
            try await client.send(Self.get(authority))
            _ = try await proxy.sink.told("the exchange that waits") { $0.opened.count == 1 }
            if side == .response {
                _ = try await origin.connections("to be asked") { $0.first?.received.isEmpty == false }
            }
            try await client.reset()
            let exchange = try await proxy.record().exchange
            #expect(exchange.outcome == .cancelled || exchange.outcome == .failed)
            #expect(exchange.failure?.side == .client)
            #expect(origin.connections.isEmpty == (side == .request))
            if side == .request { #expect(exchange.rules.map(\.microseconds) == [nil], "It was not waited for") }
        }
    }

    @Test("A client that ended its side during the delay is answered, and the record says that it may have left")
    func halfClosed() async throws {
        try await RuledTraffic.run([try RuledTraffic.rule("slow", Self.delay(.request, 300))]) { proxy, _, authority in
            let client = try await proxy.connect()
            try await client.send(Self.get(authority))
            try await client.halfClose()
            #expect(try await client.response().text == "ok")
            let warnings = try await proxy.record().exchange.warnings
            #expect(warnings.count == 1 && warnings.first?.contains("rule's delay was over") == true)
        }
    }

    @Test("Trailers of a request that came during its delay are edited")
    func trailers() async throws {
        let edit = try RuledTraffic.edit { $0.trailers.set = [try RuledTraffic.field("X-Sum", "1")] }
        let rule = try RuledTraffic.rule("trail", Self.delay(.request, 200), .request(edit))
        try await RuledTraffic.run([rule]) { proxy, origin, authority in
            let client = try await proxy.connect()
            try await client.send(
                "POST http://\(authority)/ HTTP/1.1\r\nHost: \(authority)\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"
            )
            #expect(try await client.response().text == "ok")
            #expect(origin.connections.first?.receivedText.hasSuffix("0\r\nX-Sum: 1\r\n\r\n") == true)
            let uses = try await proxy.record().exchange.rules
            #expect(uses.map(\.note) == [nil, nil] && uses.last?.what == "X-Sum added")
        }
    }

    @Test("A response ends though messages of its request go up as long as their client likes")
    func endlessMessages() async throws {
        let origin = try await LoopbackOrigin.start { bytes in
            bytes.firstRange(of: Array("\r\n\r\n".utf8)) == nil
                ? nil
                : .init(
                    consuming: bytes.count,
                    .send(Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8))
                )
        }
        let rule = try RuledTraffic.rule("far", Self.throttle { $0.roundTrip = 600_000 })
        try await RunningProxy.run(configure: { $0.rules = RuleList([rule], now: 0) }) { proxy in
            let client = try await proxy.connect()
            let authority = "127.0.0.1:\(origin.port)"
            try await client.send(
                "POST http://\(authority)/ HTTP/1.1\r\nHost: \(authority)\r\nContent-Type: application/grpc\r\nTransfer-Encoding: chunked\r\n\r\n"
            )
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    while !Task.isCancelled {
                        try await client.send("7\r\n\0\0\0\0\u{2}ok\r\n")
                        try await client.stays("sending", for: .milliseconds(50)) { !$0.isEnded }
                    }
                }
                let text = try await client.response().text
                #expect(text == "ok")
                group.cancelAll()
                while case .some(.failure) = await group.nextResult() {}
            }
        }
    }

    @Test("A request whose answer was taken back waits once for each delay, and the record has each once")
    func takenBack() async throws {
        var answer = RuleAnswer()
        answer.content = .directory(RuleAnswer.Directory(path: "/nonexistent", missing: .upstream))
        let files = RuleAction.respond(RuleAnswers([answer]))
        let mine = RuleAction.respond(RuleAnswers([try RuledTraffic.answer(200, "mine")]))
        let rules = [
            try RuledTraffic.rule("files", files, Self.delay(.request, 100)),
            try RuledTraffic.rule("slow", Self.delay(.request, 150)),
            try RuledTraffic.rule("mine", Self.delay(.request, 200), mine),
        ]
        try await RuledTraffic.run(rules, configure: { $0.ruleContents = NoFiles() }) { proxy, _, authority in
            let client = try await proxy.connect()
            let start = ContinuousClock.now
            try await client.send(Self.get(authority))
            #expect(try await client.response().text == "mine")
            #expect(start.duration(to: .now) >= .milliseconds(450))
            let delays = try await proxy.record().exchange.rules.filter { $0.action == "delay" }
            #expect(delays.map(\.rule) == ["files", "slow", "mine"])
            #expect(delays.map(\.microseconds) == [100_000, 150_000, 200_000])
        }
    }

    // MARK: Throttles

    @Test("A response passes at the rate of its line and no faster, whole, and the record has all of it")
    func down() async throws {
        let rule = try RuledTraffic.rule("line", Self.throttle { $0.down = ByteRate(kilobits: 800) })
        try await RuledTraffic.run([rule], answer: Self.body(100_000)) { proxy, _, authority in
            let client = try await proxy.connect()
            let start = ContinuousClock.now
            try await client.send(Self.get(authority))
            #expect(try await client.response().body.count == 100_000)
            // A second, less the credit of one quantum.
            let time = start.duration(to: .now)
            #expect(time >= .milliseconds(900), "\(time)")
            let record = try await proxy.record()
            #expect(record.responseBody.count == 100_000 && record.exchange.outcome == .completed)
            #expect(record.exchange.rules.map(\.what) == ["down 800 kbit/s"] && !record.exchange.rules.isModified)
            #expect(record.exchange.rules.first?.microseconds ?? 0 >= 500_000)
        }
    }

    @Test("All exchanges of a rule share its line, on whichever loop they are")
    func shared() async throws {
        let line = Self.throttle { $0.down = ByteRate(kilobits: 800) }
        try await RuledTraffic.run([try RuledTraffic.rule("line", line)], answer: Self.body(30_000)) {
            proxy,
            _,
            authority in
            let start = ContinuousClock.now
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<5 {
                    group.addTask {
                        let client = try await proxy.connect()
                        try await client.send(Self.get(authority))
                        return try await client.response().body.count
                    }
                }
                for try await count in group { #expect(count == 30_000) }
            }
            let time = start.duration(to: .now)
            #expect(time >= .milliseconds(1_350), "150 kB take 1.5 s: \(time)")
        }
    }

    @Test("A request goes up at the rate of its line, to the byte, and its response does not end before")
    func upload() async throws {
        let rule = try RuledTraffic.rule("line", Self.throttle { $0.up = ByteRate(kilobits: 800) })
        try await RuledTraffic.run([rule]) { proxy, origin, authority in
            let client = try await proxy.connect()
            let text = (0..<10_000).map { String($0 % 10) }.joined() + String(repeating: "y", count: 90_000)
            let start = ContinuousClock.now
            try await client.send(
                "POST http://\(authority)/ HTTP/1.1\r\nHost: \(authority)\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)"
            )
            #expect(try await client.response().text == "ok")
            #expect(start.duration(to: .now) >= .milliseconds(900))
            #expect(origin.connections.first?.receivedText.hasSuffix("\r\n\r\n\(text)") == true)
            let exchange = try await proxy.record().exchange
            #expect(exchange.timeline.send ?? 0 >= 800_000, "The request takes the time, and not the upstream")
            #expect(exchange.outcome == .completed)
        }
    }

    @Test("An upstream that answers before it has the request gets the rest all the same")
    func early() async throws {
        let origin = try await LoopbackOrigin.start { unanswered in
            guard let end = unanswered.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound,
                String(decoding: unanswered.prefix(end), as: UTF8.self).hasPrefix("POST")
            else { return unanswered.isEmpty ? nil : .init(consuming: unanswered.count) }
            return .init(consuming: end, .send(Array(RuledTraffic.ok.utf8)))
        }
        let rule = try RuledTraffic.rule("line", Self.throttle { $0.up = ByteRate(kilobits: 800) })
        try await RunningProxy.run(configure: { $0.rules = RuleList([rule], now: 0) }) { proxy in
            let client = try await proxy.connect()
            let authority = "127.0.0.1:\(origin.port)"
            let text = String(repeating: "y", count: 50_000)
            try await client.send(
                "POST http://\(authority)/ HTTP/1.1\r\nHost: \(authority)\r\nContent-Length: 50000\r\n\r\n\(text)"
            )
            #expect(try await client.response().text == "ok")
            #expect(try await proxy.record().exchange.outcome == .completed)
            _ = try await origin.connections("to have the rest") { $0.first?.receivedText.hasSuffix(text) == true }
        }
    }

    @Test("While a response is slow its upstream is not read, so that what waits is a window and not the body")
    func memory() async throws {
        let piece = [UInt8](repeating: 120, count: 65_536)
        let count = 1_024
        let origin = try await LoopbackOrigin.start(holdsLittle: true) { unanswered in
            RawRequest(first: unanswered).map {
                let head = "HTTP/1.1 200 OK\r\nContent-Length: \(count * 65_536)\r\n\r\n"
                return .init(consuming: $0.bytes.count, .send(Array(head.utf8)), .stream(piece, times: count))
            }
        }
        let rule = try RuledTraffic.rule("line", Self.throttle { $0.down = ByteRate(kilobits: 800) })
        try await RunningProxy.run(configure: { $0.rules = RuleList([rule], now: 0) }) { proxy in
            let client = try await proxy.connect()
            try await client.send(Self.get("127.0.0.1:\(origin.port)"))
            _ = try await client.read(count: 50_000)
            let told = try await proxy.sink.told("what has passed") { $0.responseBytes >= 20_000 }
            #expect(told.responseBytes < 1 << 20)
            let sent = origin.connections.first?.sentBytes ?? 0
            // The kernel takes some megabytes on its way; of 64 MiB that is little.
            #expect(sent < 16 << 20, "\(sent) bytes of \(count * 65_536) were sent")
        }
    }

    @Test("Half a round trip passes before the request goes up, and half before the answer")
    func roundTrip() async throws {
        let rule = try RuledTraffic.rule("far", Self.throttle { $0.roundTrip = 600_000 })
        try await RuledTraffic.run([rule]) { proxy, _, authority in
            let client = try await proxy.connect()
            let start = ContinuousClock.now
            try await client.send(Self.get(authority))
            #expect(try await client.response().text == "ok")
            #expect(start.duration(to: .now) >= .milliseconds(600))
            let timeline = try await proxy.record().exchange.timeline
            #expect(timeline.send ?? 0 >= 290_000 && timeline.receive ?? 0 >= 290_000)
        }
    }

    @Test("A proxy that stops has what is slow end at once, and breaks nothing off")
    func stopping() async throws {
        let rules = [
            try RuledTraffic.rule("slow", when: "path:/line", Self.throttle { $0.down = ByteRate(kilobits: 8) }),
            try RuledTraffic.rule("before", when: "path:/before", Self.delay(.request, 3_600_000)),
            try RuledTraffic.rule("behind", when: "path:/behind", Self.delay(.response, 3_600_000)),
        ]
        let origin = try await LoopbackOrigin.start(script: RawRequest.answering { Array(Self.body(100_000)($0).utf8) })
        var clients: [RawClient] = []
        let count = try await RunningProxy.run(configure: {
            $0.rules = RuleList(rules, now: 0)
            $0.drainTimeout = .seconds(60)
        }) { proxy in
            for path in ["/line", "/before", "/behind"] {
                let client = try await proxy.connect()
                try await client.send(Self.get("127.0.0.1:\(origin.port)", path))
                clients.append(client)
            }
            _ = try await proxy.sink.told("all to be open") { $0.opened.count == 3 }
        }
        // What it had waited for in vain would be cut, and counted.
        #expect(count == 0)
        for client in clients { #expect(try await client.response().body.count == 100_000) }
    }
}
