import NIOCore
import Store
import Testing
import Traffic

@Suite("An exchange written and read again", .timeLimit(.minutes(15)))
struct RecordTests {
    /// Held by the suite, so that the directory outlives the test.
    private let home: TemporaryStore

    init() throws { home = try TemporaryStore() }

    /// One of everything, none of it at its default.
    static func rich() -> Exchange {
        let client = Peer(
            token: .max - 3,
            address: "[2001:db8::7]:50001",
            tls: Peer.TLS(version: "TLSv1.3", serverName: "api.example.test", applicationProtocol: nil),
            process: LocalProcess(id: 4711, name: "Web Content"),
            hello: "t13d1516h2_8daaf6152771_e5627efa2ab1",
            runtime: .chromium
        )
        var tls = Peer.TLS(
            version: "TLSv1.2",
            serverName: nil,
            applicationProtocol: "h2",
            certificates: [[0x30, 0x00, 0xFF], [0x30, 0x01]]
        )
        tls.cipher = "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"
        let upstream = Peer(token: 9, address: "192.0.2.1:8443", tls: tls)
        var exchange = Exchange(
            timeline: Timeline(started: 1_760_000_000_123_456),
            method: "pOsT",
            scheme: .wss,
            host: "2001:db8::1",
            port: 8443,
            target: "/a?b&c=\u{0}é%20+",
            request: Message(head: ByteBuffer(bytes: [0x47, 0x00, 0xFF, 0x0D, 0x0A])),
            client: client,
            outcome: .failed
        )
        exchange.timeline.blocked = 0
        exchange.timeline.dns = 1
        exchange.timeline.connect = 2
        exchange.timeline.tls = 3
        exchange.timeline.send = 4
        exchange.timeline.wait = 5
        exchange.timeline.receive = 6
        exchange.timeline.duration = 21
        exchange.version = .http2
        exchange.upstreamVersion = .http10
        exchange.code = 599
        exchange.mediaType = "text/x"
        exchange.request.sentHead = ByteBuffer(string: "POST\r\n\r\n")
        exchange.request.trailers = ByteBuffer()
        exchange.request.body = Body(length: 3, kept: 3, sha256: Array(0..<32))
        exchange.response = Message(
            head: ByteBuffer(string: "HTTP/1.1 599 \u{7F}\r\n\r\n"),
            sentHead: ByteBuffer(string: "x")
        )
        exchange.response?.trailers = ByteBuffer(string: "A: b\r\n")
        exchange.response?.body = Body(length: 1 << 40, kept: 2, sha256: Array(32..<64))
        exchange.interim = [
            ByteBuffer(string: "HTTP/1.1 103 Early\r\n\r\n"), ByteBuffer(), ByteBuffer(string: "HTTP/1.1 100\r\n\r\n"),
        ]
        exchange.ownResponse = ByteBuffer(string: "HTTP/1.1 502 Bad Gateway\r\n\r\n")
        exchange.upstream = upstream
        exchange.failure = ExchangeFailure(
            side: .client,
            phase: .deliver,
            // No member stands for it; the store keeps it all the same.
            cause: Cause(rawValue: "of-another-version"),
            message: "The \"client\" went away.",
            retry: true
        )
        exchange.warnings = ["One.", "Two: \u{1}\"é"]
        exchange.rules = [
            RuleUse(rule: "staging", phase: .requestHead, action: "send", what: "host, \u{1}\"é/"),
            RuleUse(rule: "flaky", phase: .requestBody, action: "respond", what: "", note: "shadowed by staging"),
        ]
        exchange.rules[0].microseconds = 1 << 40
        exchange.replayOf = 17
        exchange.messages = MessageCounts(request: 3, response: 1 << 40)
        return exchange
    }

    @Test("Every part of an exchange comes back exactly")
    func roundTrip() async throws {
        let store = try home.open()
        let sent = RecordTests.rich()
        let receipt = await store.record([
            .ended(7, sent, request: ByteBuffer(bytes: [1, 0, 3]), response: ByteBuffer(bytes: [9, 8]))
        ])
        #expect(receipt.isRecorded)
        #expect(receipt.ids == [1])
        for reader in [store, try home.open(.reading)] {
            let read = try #require(try reader.exchange(1))
            expectEqual(read, sent)
            #expect(try reader.wholeBody(1, .request) == [1, 0, 3])
            #expect(try reader.wholeBody(1, .response) == [9, 8])
            var summary = sent.summary
            summary.id = 1
            #expect(try reader.summaries(of: [1]) == [summary])
        }
        try store.close()
    }

    @Test("What an exchange does not have comes back as not there")
    func sparse() async throws {
        let store = try home.open()
        var sent = Exchange(
            timeline: Timeline(started: 5),
            method: "",
            scheme: nil,
            host: "",
            port: 0,
            target: "",
            request: Message(head: ByteBuffer()),
            client: Peer(token: 0, address: "", tls: nil),
            outcome: .tunnelled
        )
        sent.response = Message(head: ByteBuffer())
        await store.record([sent])
        let read = try #require(try store.exchange(1))
        expectEqual(read, sent)
        #expect(read.response != nil)
        #expect(try store.exchange(2) == nil)
        // What follows a response that is not there is found all the same.
        sent.response = nil
        sent.rules = [RuleUse(rule: "trackers", phase: .connect, action: "block", what: "reset")]
        await store.record([sent])
        expectEqual(try #require(try store.exchange(2)), sent)
        #expect(try store.body(1, .request, offset: 0, limitBytes: 10) == [])
        #expect(try store.body(3, .response, offset: 0, limitBytes: 10) == [])
    }

    @Test("A connection and a certificate are written once however many exchanges refer to them")
    func sharedConnections() async throws {
        let store = try home.open()
        let tls = Peer.TLS(version: "TLSv1.3", serverName: "h", applicationProtocol: "h2", certificates: [[1], [2]])
        for token in 1...3 {
            var exchange = Exchange.plain()
            exchange.upstream = Peer(token: UInt64(10 + token), address: "192.0.2.\(token):443", tls: tls)
            await store.record([exchange, exchange])
            // The same connection described by another object, and the same token after the connection is known better.
            exchange.upstream = Peer(token: UInt64(10 + token), address: "192.0.2.\(token):443", tls: tls)
            await store.record([exchange])
        }
        try store.close()
        #expect(try home.count(.connection) == 4)
        #expect(try home.count(.certificate) == 2)
    }

    @Test("Ids are gapless, in the order of commits, and go on after reopening")
    func ids() async throws {
        var store = try home.open()
        var ids: [ExchangeID] = []
        for _ in 0..<5 { ids += await store.record([.plain(), .plain(), .plain()]).ids }
        try store.close()
        store = try home.open()
        ids += await store.record([.plain()]).ids
        #expect(ids == Array(1...16))
        #expect(try store.list(ListingQuery()).total == 16)
        #expect(try store.summaries(after: 13, limit: 2).map(\.id) == [14, 15])
        #expect(try store.summaries(of: [3, 99, 1]).map(\.id) == [3, 1])
    }

    @Test("An open exchange is seen as pending, is known better, and ends under its first id")
    func pending() async throws {
        let store = try home.open()
        await store.record([.opened(4, .plain(code: nil, outcome: .pending))])
        await store.record([.plain()])
        #expect(try store.exchange(1)?.outcome == .pending)
        await store.record([.changed(4, .plain(code: 201, outcome: .pending))])
        #expect(try store.exchange(1)?.code == 201)
        let receipt = await store.record([.ended(4, .plain(code: 201), request: .init(), response: .init())])
        #expect(receipt.ids == [1])
        #expect(try store.exchange(1)?.outcome == .completed)
        #expect(try store.list(ListingQuery()).total == 2)
        try store.close()
        #expect(try home.count(.openExchange) == 0 && home.isIntact())
    }

    @Test("Many loops submit at once and each batch learns its own ids")
    func concurrent() async throws {
        let store = try home.open()
        let ids = await withTaskGroup(of: [(String, ExchangeID)].self) { group in
            for loop in 0..<8 {
                group.addTask {
                    var ids: [(String, ExchangeID)] = []
                    for round in 0..<25 {
                        let target = "/\(loop)/\(round)"
                        let receipt = await store.record([.plain(target: target + "/a"), .plain(target: target + "/b")])
                        ids += zip([target + "/a", target + "/b"], receipt.ids)
                    }
                    return ids
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(ids.map(\.1).sorted() == Array(1...400))
        for (target, id) in ids { #expect(try store.summaries(of: [id]).first?.target == target) }
    }
}

/// Compares field by field, so that a failure names the field.
func expectEqual(_ read: Exchange, _ sent: Exchange, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(read.timeline == sent.timeline, sourceLocation: sourceLocation)
    #expect(read.method == sent.method, sourceLocation: sourceLocation)
    #expect(read.scheme == sent.scheme, sourceLocation: sourceLocation)
    #expect(read.host == sent.host && read.port == sent.port, sourceLocation: sourceLocation)
    #expect(read.target == sent.target, sourceLocation: sourceLocation)
    #expect(
        read.version == sent.version && read.upstreamVersion == sent.upstreamVersion,
        sourceLocation: sourceLocation
    )
    #expect(read.code == sent.code && read.mediaType == sent.mediaType, sourceLocation: sourceLocation)
    #expect(read.request == sent.request, sourceLocation: sourceLocation)
    #expect(read.response == sent.response, sourceLocation: sourceLocation)
    #expect(read.interim == sent.interim, sourceLocation: sourceLocation)
    #expect(read.ownResponse == sent.ownResponse, sourceLocation: sourceLocation)
    for (left, right) in [(read.client, Optional(sent.client)), (read.upstream, sent.upstream)] as [(Peer?, Peer?)] {
        #expect(left?.token == right?.token && left?.address == right?.address, sourceLocation: sourceLocation)
        #expect(left?.tls == right?.tls, sourceLocation: sourceLocation)
    }
    #expect(read.outcome == sent.outcome && read.failure == sent.failure, sourceLocation: sourceLocation)
    #expect(read.warnings == sent.warnings && read.replayOf == sent.replayOf, sourceLocation: sourceLocation)
    #expect(read.messages == sent.messages && read.rules == sent.rules, sourceLocation: sourceLocation)
}
