import NIOCore
import Support
import Testing

@testable import Proxy
@testable import Traffic

/// Rules that edit a body and take time, or have it fail, at once.
@Suite("Rules that edit bodies beside delays and faults", .timeLimit(.minutes(15)))
struct MixedRulesTests {
    @Test(
        "A body that comes while its request waits for a delay is edited all the same",
        arguments: [
            (#"{"append": "X"}"#, "abcX"), (#"{"replace": {"find": "cd", "with": "e"}}"#, "abc"),
            (#"{"replace": {"find": "bc", "with": "e"}}"#, "ae"), (#"{"text": "mine"}"#, "mine"),
            (#"{"replace": {"regex": "[bc]+", "with": "e"}}"#, "ae"),
        ]
    )
    func delayed(edit: String, expected: String) async throws {
        let rules = "[{\"name\": \"slow\", \"delay\": {\"request\": \"100ms\"}, \"request\": {\"body\": \(edit)}}]"
        let ok = RawRequest.answering { _ in Array(RuledTraffic.ok.utf8) }
        try await RuledTraffic.play(rules, ok) { proxy, origin, authority in
            let client = try await proxy.connect()
            let head = "POST http://\(authority)/ HTTP/1.1\r\nHost: \(authority)\r\nContent-Type: text/plain\r\n"
            try await client.send("\(head)Content-Length: 3\r\n\r\nabc")
            #expect(try await client.response().text == "ok")
            let received = try #require(origin.connections.last).received
            #expect(try String(decoding: #require(RawRequest(first: received)).content, as: UTF8.self) == expected)
            let record = try await proxy.record()
            #expect(String(decoding: record.requestBody, as: UTF8.self) == "abc")
            #expect(record.exchange.outcome == .completed)
        }
    }

    @Test("A held response that is released into a fault has one record, which is over")
    func released() async throws {
        let gate = Gate()
        let origin = try await LoopbackOrigin.start { unanswered in
            RawRequest(first: unanswered).map {
                let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 4\r\n\r\n{}"
                return .init(consuming: $0.bytes.count, .send(Array(head.utf8)), .held(gate), .send(Array("\n\n".utf8)))
            }
        }
        let rules = try RuledTraffic.rules(
            #"[{"name": "cut", "response": {"body": {"json": {"set": {"$.a": 1}}}}, "fault": {"cut": 1}}]"#
        )
        try await RunningProxy.run(configure: {
            $0.rules = RuleList(rules, now: 0)
            $0.ruleSilenceTimeout = .milliseconds(300)
        }) { proxy in
            let client = try await proxy.connect()
            let authority = "127.0.0.1:\(origin.port)"
            try await client.send("GET http://\(authority)/ HTTP/1.1\r\nHost: \(authority)\r\n\r\n")
            #expect(String(decoding: try await client.readToEnd(), as: UTF8.self).hasSuffix("\r\n\r\n{"))
            gate.open()
            let record = try await proxy.record()
            #expect(record.exchange.outcome == .failed && record.exchange.failure?.cause == .rule)
            #expect(String(decoding: record.responseBody, as: UTF8.self) == "{")
            // Nothing is told of it after its end: what comes next is the next exchange.
            proxy.server.setRules(nil)
            let next = try await proxy.connect()
            try await next.send("GET http://\(authority)/ HTTP/1.1\r\nHost: \(authority)\r\n\r\n")
            #expect(try await next.response().text == "{}\n\n")
            #expect(proxy.sink.soFar.faults.isEmpty, "\(proxy.sink.soFar.faults)")
        }
    }

    @Test("A response that waits for its body and then for a delay of next to nothing is whole")
    func shortDelay() async throws {
        let rules = #"[{"name": "short", "when": "body:ok", "delay": {"response": "0ms..1ms"}}]"#
        let answer = RawRequest.answering { _ in
            Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n".utf8)
        }
        try await RuledTraffic.play(rules, answer) { proxy, _, authority in
            let client = try await proxy.connect()
            for _ in 0..<200 {
                try await client.send("GET http://\(authority)/ HTTP/1.1\r\nHost: \(authority)\r\n\r\n")
                #expect(try await client.response().text == "ok")
            }
        }
    }
}
