import NIOCore
import Support
import Testing

@testable import Proxy
@testable import Traffic

/// Rules that change heads and places on the way, with what each side gets and what is recorded.
@Suite("Rules that edit what passes", .timeLimit(.minutes(15)))
struct EditRulesTests {
    @Test("Fields and query of a request are changed on the way, every other byte stays, and the record has both")
    func request() async throws {
        let beta = try RuledTraffic.rule(
            "beta",
            when: "path:/beta",
            .request(
                try RuledTraffic.edit { edit in
                    edit.fields.set = [try RuledTraffic.field("User-Agent", "Shop/9")]
                    edit.fields.remove = [NameGlob("X-Debug", ignoresCase: true)]
                    edit.query.set = [QueryEdit.Item(name: "beta", value: try Template("1"))]
                    edit.query.remove = [NameGlob("utm_*", ignoresCase: false)]
                }
            )
        )
        try await RuledTraffic.run([beta]) { proxy, origin, authority in
            let client = try await proxy.connect()
            try await client.send(
                "GET http://\(authority)/beta?utm_a=1&q=%20z HTTP/1.1\r\nhOST: \(authority)\r\nuser-agent:  curl/8\r\nX-Debug: 1\r\nx-Keep: a\r\n\r\n"
            )
            #expect(try await client.response().text == "ok")
            let sent =
                "GET /beta?q=%20z&beta=1 HTTP/1.1\r\nhOST: \(authority)\r\nuser-agent: Shop/9\r\nx-Keep: a\r\n\r\n"
            #expect(origin.connections.first?.receivedText == sent)
            let record = try await proxy.record()
            #expect(record.head.contains("utm_a=1") && record.sentHead == sent)
            #expect(record.exchange.target == "/beta?utm_a=1&q=%20z")
            #expect(record.exchange.rules.rules == ["beta"] && record.exchange.rules.isModified)
            // What no rule touches passes as it came.
            let plain = "GET /plain?utm_a=1 HTTP/1.1\r\nHost: \(authority)\r\nX-Debug: 1\r\n\r\n"
            try await client.send("GET http://\(authority)" + plain.dropFirst(4))
            #expect(try await client.response().text == "ok")
            #expect(origin.connections.first?.receivedText == sent + plain)
            #expect(try await proxy.sink.ended(2).last?.exchange.rules == [])
        }
    }

    @Test("Fields and status of a response are changed before the client has any of it; the record has what came")
    func response() async throws {
        let rules = [
            try RuledTraffic.rule(
                "no csp",
                when: "type:text",
                .response(
                    try RuledTraffic.edit { edit in
                        edit.status = 418
                        edit.fields.remove = [NameGlob("x-a", ignoresCase: true)]
                        edit.fields.add = [try RuledTraffic.field("X-B", "${path}")]
                    }
                )
            )
        ]
        try await RuledTraffic.run(rules) { proxy, _, authority in
            let client = try await proxy.connect()
            try await client.send("GET http://\(authority)/page HTTP/1.1\r\nHost: \(authority)\r\n\r\n")
            let response = try await client.response()
            #expect(response.code == 418 && response.text == "ok")
            #expect(!response.head.contains("X-A") && response.head.contains("X-B: /page\r\n"))
            let record = try await proxy.record()
            #expect(record.responseHead?.hasPrefix("HTTP/1.1 200 OK\r\n") == true)
            #expect(record.exchange.response?.sentHead.map { String(buffer: $0) } == response.head)
            #expect(record.exchange.code == 418 && record.exchange.rules.rules == ["no csp"])
        }
    }

    @Test(
        "A request goes to another origin, and its Host field with it unless that is to stay",
        arguments: [false, true]
    )
    func send(keepsHost: Bool) async throws {
        let other = try await LoopbackOrigin.start(script: RawRequest.answering { _ in Array(RuledTraffic.ok.utf8) })
        var send = RuleSend()
        send.to = try ReplayTarget("http://127.0.0.1:\(other.port)/v2")
        send.keepsHost = keepsHost
        try await RuledTraffic.run([try RuledTraffic.rule("staging", when: "path:/moved", .send(send))]) {
            proxy,
            origin,
            authority in
            let client = try await proxy.connect()
            try await client.send("GET http://\(authority)/moved?a HTTP/1.1\r\nHost: \(authority)\r\n\r\n")
            #expect(try await client.response().text == "ok")
            let host = keepsHost ? authority : "127.0.0.1:\(other.port)"
            #expect(other.connections.first?.receivedText == "GET /v2/moved?a HTTP/1.1\r\nHost: \(host)\r\n\r\n")
            #expect(origin.connections.isEmpty)
            let record = try await proxy.record()
            // The record is the client's side.
            #expect(record.exchange.port == origin.port && record.exchange.target == "/moved?a")
            #expect(record.exchange.upstream?.address == "127.0.0.1:\(other.port)")
            #expect(record.exchange.rules.rules == ["staging"])
        }
    }

    @Test("A Host field that named another place than the target is the new place's")
    func sendAmbiguous() async throws {
        let other = try await LoopbackOrigin.start(script: RawRequest.answering { _ in Array(RuledTraffic.ok.utf8) })
        var send = RuleSend()
        send.to = try ReplayTarget("http://127.0.0.1:\(other.port)")
        try await RuledTraffic.run([try RuledTraffic.rule("staging", .send(send))]) { proxy, _, authority in
            let client = try await proxy.connect()
            let head = "GET /moved HTTP/1.1\r\nHost: 127.0.0.1:\(other.port)\r\n\r\n"
            try await client.send(head.replacing("GET ", with: "GET http://\(authority)", maxReplacements: 1))
            #expect(try await client.response().text == "ok")
            #expect(other.connections.first?.receivedText == head)
        }
    }

    @Test("A place where nobody listens is named in the answer, which comes instead of the usual upstream's")
    func sendNowhere() async throws {
        let nowhere = try RefusingPort()
        var send = RuleSend()
        send.to = try ReplayTarget("http://127.0.0.1:\(nowhere.port)")
        var fresh = RuleSend()
        fresh.isFresh = true
        let rules = [try RuledTraffic.rule("staging", .send(send)), try RuledTraffic.rule("below", .send(fresh))]
        try await RuledTraffic.run(rules) { proxy, origin, authority in
            let client = try await proxy.connect()
            let fields = "Host: \(authority)\r\nIf-None-Match: \"a\"\r\n"
            try await client.send("GET http://\(authority)/ HTTP/1.1\r\n\(fields)\r\n")
            let response = try await client.response()
            #expect(response.code == 502 && response.text.contains("127.0.0.1:\(nowhere.port)"))
            let status = "Proxy-Status: inspect; error=connection_refused; details=\"rule staging\"\r\n"
            #expect(response.head.contains(status), "\(response.head)")
            #expect(origin.connections.isEmpty)
        }
    }

    @Test("A name is resolved to the address of a rule; Host, the server's name and the check of its certificate stay")
    func resolve() async throws {
        var send = RuleSend()
        send.addresses = ["127.0.0.1"]
        let rule = try RuledTraffic.rule("pin", when: "host:localhost", .send(send))
        try await RuledTraffic.run([rule], tls: Certificates.server("good")) { _ in
            RuledTraffic.ok
        } configure: {
            $0.lookUp = { _ in throw ChannelLookUp.never }
        } _: { proxy, origin, _ in
            let client = try await proxy.secureTunnel(to: origin.port)
            try await client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(try await client.response().text == "ok")
            #expect(try await proxy.record().exchange.upstream?.tls?.serverName == "localhost")
        }
    }

    private enum ChannelLookUp: Error { case never }

    @Test("Other rules reach an open connection with its next request")
    func reload() async throws {
        let first = try RuledTraffic.rule(
            "one",
            .request(try RuledTraffic.edit { $0.fields.set = [try RuledTraffic.field("X-Rule", "one")] })
        )
        try await RuledTraffic.run([first]) { proxy, origin, authority in
            let client = try await proxy.connect()
            func rule() async throws -> String? {
                try await client.send("GET http://\(authority)/ HTTP/1.1\r\nHost: \(authority)\r\n\r\n")
                #expect(try await client.response().text == "ok")
                let received = origin.connections.first?.receivedText ?? ""
                return received.split(separator: "\r\n\r\n").last?.split(separator: "\r\n").last.map(String.init)
            }
            #expect(try await rule() == "X-Rule: one")
            #expect(proxy.server.rules?.figures(of: "one")?.hits == 1)
            proxy.server.setRules(nil)
            #expect(try await rule() == "Host: \(authority)")
            proxy.server.setRules(RuleList([first], now: 0))
            #expect(try await rule() == "X-Rule: one")
        }
    }
}
