import Dispatch
import NIOConcurrencyHelpers
import NIOCore
import Support
import Testing

@testable import Proxy
@testable import Traffic

/// Edits of whole bodies that would hold an event loop up are done on other threads.
@Suite("Edits of bodies on other threads", .timeLimit(.minutes(15)))
struct BodyWorkersTests {
    /// Keeps both threads of some workers busy until `open`.
    private struct Busy {
        private let end = DispatchSemaphore(value: 0)

        init(_ workers: BodyWorkers) {
            for _ in 0..<2 { workers.run(for: "busy") { [end] in end.wait() } }
        }

        func open() { for _ in 0..<2 { openOne() } }

        func openOne() { end.signal() }
    }

    private static let rules = #"""
        [{"name": "up", "when": "path:/up", "request": {"body": {"replace": {"regex": "ad(min)", "with": "${1}"}}}},
         {"name": "down", "when": "path:/down", "response": {"body": {"json": {"set": {"$.role": "nobody"}}}}},
         {"name": "grows", "when": "path:/grows",
          "response": {"body": {"json": {"set": {"$[*].a": "\#(String(repeating: "x", count: 250))"}}}}},
         {"name": "coded", "when": "path:/coded body:admin",
          "response": {"body": {"replace": {"find": "admin", "with": "nobody"}}}}]
        """#

    /// Longer than what is edited on the loop.
    private static let long = #"{"role": "admin", "pad": "\#(String(repeating: "x", count: 70_000))"}"#

    /// A short text of which a rule makes some megabytes.
    private static let growing = "[" + Array(repeating: "{}", count: 21_000).joined(separator: ",") + "]"

    /// An origin that answers with the long text, with the growing one, or with what it was sent.
    private static func run(
        drain: TimeAmount = .milliseconds(200),
        clock: TestClock? = nil,
        _ body: (RunningProxy, LoopbackOrigin, String) async throws -> Void
    ) async throws {
        let rules = RuleList(try RuledTraffic.rules(rules), now: 0)
        let coded = try RuledTraffic.coded(long, "gzip")
        let origin = try await LoopbackOrigin.start(
            script: RawRequest.answering { request in
                guard !request.text.hasPrefix("GET /coded") else {
                    let fields = "Content-Type: application/json\r\nContent-Encoding: gzip"
                    return RuledTraffic.message("HTTP/1.1 200 OK", fields, body: coded)
                }
                let texts = ["/down": long, "/grows": growing]
                let body = texts[request.target].map { Array($0.utf8) } ?? Array(request.bytes[request.headBytes...])
                return RuledTraffic.message("HTTP/1.1 200 OK", "Content-Type: application/json", body: body)
            }
        )
        try await RunningProxy.run(clock: clock, configure: { ($0.rules, $0.drainTimeout) = (rules, drain) }) { proxy in
            try await body(proxy, origin, "127.0.0.1:\(origin.port)")
        }
    }

    private static func post(_ authority: String, _ text: String) -> String {
        "POST http://\(authority)/up HTTP/1.1\r\nHost: \(authority)\r\nContent-Type: application/json\r\n"
            + "Content-Length: \(text.utf8.count)\r\n\r\n\(text)"
    }

    @Test(
        "A request and a response wait for their edits while others pass, and come in order",
        arguments: [true, false]
    )
    func apart(isUp: Bool) async throws {
        try await Self.run { proxy, _, authority in
            let busy = Busy(proxy.server.shared.workers)
            let client = try await proxy.connect()
            let first = isUp ? Self.post(authority, #"{"role": "admin"}"#) : RuledTraffic.request(authority, "/down")
            try await client.send(first + RuledTraffic.request(authority, "/plain"))
            for _ in 0..<8 {
                let other = try await proxy.connect()
                try await other.send(RuledTraffic.request(authority, "/plain"))
                #expect(try await other.response().code == 200)
            }
            try await client.stays("waiting", for: .milliseconds(50)) { $0.unread.isEmpty && !$0.isEnded }
            busy.open()
            let text = try await client.response().text
            #expect(text.hasPrefix(isUp ? #"{"role": "min"}"# : #"{"role": "nobody", "pad""#))
            #expect(try await client.response().code == 200)
            let record = try await proxy.sink.ended(10).first { $0.exchange.rules.isModified }
            #expect(record?.exchange.outcome == .completed)
            try await RuledTraffic.keeps(0, proxy)
        }
    }

    @Test("The edit of a short body that takes more than was thought is given up, and done apart")
    func grows() async throws {
        try await Self.run { proxy, _, authority in
            let busy = Busy(proxy.server.shared.workers)
            let client = try await proxy.connect()
            try await client.send(RuledTraffic.request(authority, "/grows"))
            try await client.stays("waiting", for: .milliseconds(50)) { $0.unread.isEmpty && !$0.isEnded }
            busy.open()
            let body = try await client.response().body
            #expect(body.count > 5_000_000)
            let uses = try await proxy.record().exchange.rules
            #expect(uses.map(\.what) == ["$[*].a added ×21000"] && uses.allSatisfy { $0.note == nil }, "\(uses)")
        }
    }

    @Test("A coded body that was kept is edited apart too, though it could be edited as it passes")
    func coded() async throws {
        try await Self.run { proxy, _, authority in
            let busy = Busy(proxy.server.shared.workers)
            let client = try await proxy.connect()
            let paths = ["/coded", "/plain"].map { RuledTraffic.request(authority, $0) }
            try await client.send(paths.joined())
            let other = try await proxy.connect()
            try await other.send(RuledTraffic.request(authority, "/plain"))
            #expect(try await other.response().code == 200)
            try await client.stays("waiting", for: .milliseconds(50)) { $0.unread.isEmpty && !$0.isEnded }
            busy.open()
            let text = RuledTraffic.text(try await client.response().body, "gzip")
            #expect(text == Self.long.replacing("admin", with: "nobody"))
            #expect(try await client.response().code == 200)
            try await RuledTraffic.keeps(0, proxy)
        }
    }

    @Test("A request that is whole and waits for its edit is not taken for one whose client sends no more")
    func patient() async throws {
        try await Self.run(clock: TestClock()) { proxy, _, authority in
            let busy = Busy(proxy.server.shared.workers)
            let client = try await proxy.connect()
            try await client.send(Self.post(authority, Self.long))
            try await RuledTraffic.keeps(2 * Self.long.utf8.count, proxy)
            try await proxy.pass(.seconds(600))
            busy.open()
            #expect(try await client.response().text.hasPrefix(#"{"role": "min"}"#.dropLast()))
            #expect(try await proxy.record().exchange.rules.isModified)
        }
    }

    @Test("What is dropped before its turn holds nothing any more, and the others have theirs")
    func leavesQueue() {
        final class Held: Sendable {}
        let workers = BodyWorkers()
        let busy = Busy(workers)
        let done = DispatchSemaphore(value: 0)
        weak var held: Held?
        var number = 0
        do {
            let own = Held()
            held = own
            number = workers.run(for: "a") { withExtendedLifetime(own) {} }
        }
        workers.run(for: "b") { done.signal() }
        #expect(held != nil)
        workers.drop(number, for: "a")
        #expect(held == nil)
        busy.open()
        done.wait()
        workers.drop(number, for: "a")
        workers.run(for: "a") { done.signal() }
        done.wait()
    }

    @Test("Who brings much waits for himself: others have their turn")
    func turns() {
        let workers = BodyWorkers()
        let busy = Busy(workers)
        let (done, order) = (DispatchSemaphore(value: 0), NIOLockedValueBox<[String]>([]))
        for name in ["a", "a", "a", "a", "b", "c", "b"] {
            workers.run(for: name) {
                order.withLockedValue { $0.append(name) }
                done.signal()
            }
        }
        // One thread alone, so that the order is known.
        busy.openOne()
        for _ in 0..<7 { done.wait() }
        busy.openOne()
        #expect(order.withLockedValue { $0 } == ["a", "b", "c", "a", "b", "a", "a"])
    }

    @Test("A client that leaves meanwhile ends the wait", arguments: [true, false])
    func leaving(isUp: Bool) async throws {
        try await Self.run { proxy, origin, authority in
            let busy = Busy(proxy.server.shared.workers)
            let client = try await proxy.connect()
            try await client.send(isUp ? Self.post(authority, Self.long) : RuledTraffic.request(authority, "/down"))
            _ = try await proxy.sink.told("the exchange that waits") { $0.opened.count == 1 }
            try await client.reset()
            let exchange = try await proxy.record().exchange
            #expect(exchange.failure?.side == .client && !exchange.rules.isModified)
            busy.open()
            #expect(origin.connections.isEmpty == isUp)
            try await RuledTraffic.keeps(0, proxy)
        }
    }

    @Test("A proxy that stops waits for the edit, and the client has the whole response")
    func stopping() async throws {
        let semaphore = DispatchSemaphore(value: 0)
        var client: RawClient?
        try await Self.run(drain: .seconds(60)) { proxy, _, authority in
            for _ in 0..<2 {
                proxy.server.shared.workers.run(for: "busy") {
                    _ = semaphore.wait(timeout: .now() + .milliseconds(300))
                }
            }
            client = try await proxy.connect()
            try await client?.send(RuledTraffic.request(authority, "/down"))
            _ = try await proxy.sink.told("the exchange that waits") { $0.opened.count == 1 }
        }
        #expect(try await client?.response().text.hasPrefix(#"{"role": "nobody""#) == true)
    }

    @Test("A proxy that stops before an edit is made answers in its place", arguments: [true, false])
    func cut(isUp: Bool) async throws {
        let (never, sink) = (DispatchSemaphore(value: 0), NIOLockedValueBox<RecordingSink?>(nil))
        var client: RawClient?
        try await Self.run { proxy, _, authority in
            sink.withLockedValue { $0 = proxy.sink }
            for _ in 0..<2 {
                proxy.server.shared.workers.run(for: "busy") {
                    // Until the exchange has ended.
                    for _ in 0..<20_000 where sink.withLockedValue({ $0?.soFar.ended.isEmpty == true }) {
                        _ = never.wait(timeout: .now() + .milliseconds(5))
                    }
                }
            }
            client = try await proxy.connect()
            try await client?.send(isUp ? Self.post(authority, Self.long) : RuledTraffic.request(authority, "/down"))
            try await RuledTraffic.keeps(Self.long.utf8.count..., proxy)
        }
        #expect(try await client?.response().code == 503)
        let exchange = sink.withLockedValue { $0?.soFar.ended.first?.exchange }
        #expect(exchange?.failure?.cause == .shutdown)
        #expect(exchange?.rules.first?.note == "skipped: the proxy was stopped")
    }

    /// The edit of a response's body that is there whole.
    private static func editor(_ steps: [BodyStep], coding: String = "identity") -> BodyEditor {
        let exchange = LiveExchange(
            connecting: Endpoint(host: "a.test", port: 80),
            client: Peer(token: 1, address: "127.0.0.1:1", tls: nil),
            started: 0
        )
        let head = ByteBuffer(
            string: "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Encoding: \(coding)\r\n\r\n"
        )
        let kind = BodyKind(head: head, .response, of: exchange.summary)
        let note = BodyEditor.Note(rule: "a", index: 0, phase: .responseBody, action: "response")
        return BodyEditor([BodyEditor.Part(note: note, steps: steps, kind: kind)], kind)
    }

    private static func work(_ step: BodyStep, _ body: ByteBuffer, coding: String = "identity") -> BodyWork {
        BodyWork(editor([step], coding: coding), body)
    }

    @Test("An edit that nobody wants any more is not made; one that was begun is made once")
    func dropped() {
        func work() -> BodyWork { Self.work(.text("new"), ByteBuffer(string: "old")) }
        let (made, dropped) = (work(), work())
        made.run()
        made.drop()
        made.run()
        #expect(made.changed.map { String(buffer: $0) } == "new")
        dropped.drop()
        dropped.run()
        #expect(dropped.changed == nil && dropped.editor.notes.allSatisfy { $0.what.isEmpty })
    }

    @Test("An edit that has begun ends soon once nobody wants it any more")
    func begun() {
        var editor = Self.editor([.text("1"), .text("2"), .text("3")])
        var asked = 0
        let edited = editor.edit(whole: ByteBuffer(string: "old")) {
            asked += 1
            return asked < 2
        }
        #expect(edited == nil && asked < 5)
    }

    @Test("What another thread edits has coders of its own: the message's may be used meanwhile")
    func coders() throws {
        let body = ByteBuffer(bytes: try RuledTraffic.coded("some text", "gzip"))
        var editor = Self.editor([.append("!")], coding: "gzip")
        let work = BodyWork(editor, body)
        #expect(work.isLong && !BodyWork(Self.editor([.append("!")]), body).isLong)
        work.run()
        var passed = editor.take(body)
        passed.writeImmutableBuffer(editor.finish())
        for bytes in [passed, work.changed] {
            #expect(RuledTraffic.text(bytes.map { Array($0.readableBytesView) } ?? [], "gzip") == "some text!")
        }
    }

    @Test("A body that decodes to far more than came is left as it is where it is at hand")
    func bomb() throws {
        let bomb = try #require(ContentEncoder.encode([UInt8](repeating: 0, count: 100 << 20), names: ["gzip"]))
        for step in [BodyStep.append("x"), .prepend("x")] {
            let work = Self.work(step, ByteBuffer(bytes: bomb), coding: "gzip")
            work.run()
            #expect(work.changed == nil)
            #expect(work.editor.notes.map(\.skipped) == ["the body decodes to far more than came"])
            #expect(work.editor.notes.map(\.what) == [""])
        }
    }

    @Test("What waits is done, and nothing that comes after they were stopped")
    func workers() async throws {
        let workers = BodyWorkers()
        let busy = Busy(workers)
        let (done, tell) = AsyncStream.makeStream(of: Int.self)
        for number in 0..<3 { workers.run(for: "one") { tell.yield(number) } }
        busy.open()
        var numbers: [Int] = []
        for await number in done {
            numbers.append(number)
            if numbers.count == 3 { break }
        }
        #expect(Set(numbers) == [0, 1, 2])
        while workers.stop() { await Task.yield() }
        workers.run(for: "one") { Issue.record("It was stopped") }
        #expect(!workers.stop())
    }
}
