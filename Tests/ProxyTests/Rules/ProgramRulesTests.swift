import NIOCore
import Support
import Testing

@testable import Proxy
@testable import Traffic

#if os(Linux)
/// Rules that ask which program sent a request, which is not known at once.
@Suite("Rules that ask of the program", .timeLimit(.minutes(15)))
struct ProgramRulesTests {
    /// Runs a proxy whose client's program is found late, beside an origin whose host passes through unread.
    private static func run(
        _ rules: [Rule],
        _ program: LateProgram,
        _ body: (RunningProxy, RawClient, LoopbackOrigin) async throws -> Void
    ) async throws {
        let origin = try await LoopbackOrigin.start { bytes in
            LoopbackOrigin.Reply(consuming: bytes.count, .send(bytes))
        }
        try await RunningProxy.run(
            clock: TestClock(),
            configure: {
                $0.rules = RuleList(rules, now: 0)
                $0.passThrough = ["localhost"].compactMap { HostPattern($0) }
                $0.programsRoot = program.root
            }
        ) { proxy in
            defer { program.end() }
            let client = try await proxy.connect()
            let authority = "localhost:\(origin.port)"
            try await client.send("CONNECT \(authority) HTTP/1.1\r\nHost: \(authority)\r\n\r\n")
            // The request is read before the program is found.
            for _ in 1...2 { try await proxy.server.beat() }
            try await body(proxy, client, origin)
        }
    }

    @Test("A host is refused by a rule that asks of no program, whatever other rules ask of")
    func host() async throws {
        let program = try LateProgram("curl")
        let edit = try RuledTraffic.edit { $0.fields.set = [try RuledTraffic.field("X-Rule", "1")] }
        let rules = [
            try RuledTraffic.rule("other", when: "process:curl host:other.test", .block(.reset)),
            try RuledTraffic.rule("pinned", when: "host:localhost", .block(.status(451))),
            try RuledTraffic.rule("mark", when: "process:curl", .request(edit)),
        ]
        try await Self.run(rules, program) { proxy, client, origin in
            // The end of the answer waits for the record, which waits for the program.
            try await program.found(at: client.localPort, of: proxy)
            #expect(try await client.response().code == 451)
            #expect(origin.connections.isEmpty)
            #expect(try await proxy.record().exchange.rules.rules == ["pinned"])
        }
    }

    @Test("A refusal that depends on the program waits for it", arguments: ["curl", "wget"])
    func program(name: String) async throws {
        let program = try LateProgram(name)
        let rules = [try RuledTraffic.rule("no curl", when: "process:curl host:localhost", .block(.status(403)))]
        try await Self.run(rules, program) { proxy, client, origin in
            try await client.stays("hears nothing", for: .milliseconds(50)) { $0.unread.isEmpty && !$0.isEnded }
            #expect(origin.connections.isEmpty)
            try await program.found(at: client.localPort, of: proxy)
            guard name == "curl" else {
                #expect(try await client.read(through: "\r\n\r\n").hasPrefix("HTTP/1.1 200 "))
                try await client.send("echo")
                #expect(try await client.read(count: 4) == Array("echo".utf8))
                return
            }
            #expect(try await client.response().code == 403)
            let exchange = try await proxy.record().exchange
            #expect(exchange.rules.rules == ["no curl"] && exchange.client.process?.name == "curl")
            #expect(origin.connections.isEmpty)
        }
    }

    @Test("A request that waits for its program is read no further than its body may be kept")
    func upload() async throws {
        let origin = try await LoopbackOrigin.start(script: RawRequest.answering { _ in Array(RuledTraffic.ok.utf8) })
        let program = try LateProgram("curl")
        let edit = try RuledTraffic.edit { $0.fields.set = [try RuledTraffic.field("X-Rule", "1")] }
        let rules = [try RuledTraffic.rule("mark", when: "process:curl", .request(edit))]
        try await RunningProxy.run(
            clock: TestClock(),
            configure: {
                $0.rules = RuleList(rules, now: 0)
                $0.programsRoot = program.root
                $0.ruleBodyLimitBytes = 64 << 10
            }
        ) { proxy in
            defer { program.end() }
            let client = try await proxy.connect()
            let authority = "127.0.0.1:\(origin.port)"
            let count = 4 << 20
            let head = "POST http://\(authority)/ HTTP/1.1\r\nHost: \(authority)\r\nContent-Length: \(count)\r\n\r\n"
            async let sending: Void = client.send(Array(head.utf8) + [UInt8](repeating: 97, count: count))
            // Pieces of 256 KiB are told; what has come of the next is not.
            let told = try await proxy.sink.settled { $0.requestBytes }
            #expect(told.requestBytes <= 512 << 10)
            try await program.found(at: client.localPort, of: proxy)
            #expect(try await client.response().text == "ok")
            try await sending
            let record = try await proxy.record()
            #expect(record.requestBody.count == count && record.exchange.rules.rules == ["mark"])
            #expect(origin.connections.first?.receivedText.contains("X-Rule: 1\r\n") == true)
        }
    }

    @Test("A program that is not found in a moment is not waited for, and a client that leaves meanwhile is recorded")
    func notFound() async throws {
        let rules = [try RuledTraffic.rule("no curl", when: "process:curl host:localhost", .block(.status(403)))]
        let program = try LateProgram("curl")
        try await Self.run(rules, program) { proxy, client, _ in
            // On a busy machine the request may be read later than its client has sent it.
            try await proxy.pass(.milliseconds(100), until: "the answer") { !client.soFar.unread.isEmpty }
            #expect(try await client.read(through: "\r\n\r\n").hasPrefix("HTTP/1.1 200 "))
        }
        let other = try LateProgram("curl")
        try await Self.run(rules, other) { proxy, client, origin in
            let port = client.localPort
            try await client.reset()
            // The proxy is told that its client has left before the program is found.
            for _ in 1...2 { try await proxy.server.beat() }
            try await other.found(at: port, of: proxy)
            let exchange = try await proxy.record().exchange
            #expect(exchange.outcome == .cancelled && exchange.method == "CONNECT")
            #expect(origin.connections.isEmpty)
        }
    }
}
#endif
