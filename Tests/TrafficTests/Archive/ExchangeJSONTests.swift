import Archive
import Foundation
import NIOCore
import Testing
import Traffic

@Suite(.timeLimit(.minutes(15)))
struct ExchangeJSONTests {
    private static func object(_ sample: SampleExchange, includesBodies: Bool = true) throws -> [String: Any] {
        var json = JSONWriter()
        var bytes: [UInt8] = []
        try ExchangeJSON(sample.record, includesBodies: includesBodies, remedyWords: nil).write(
            to: &json,
            source: sample.source
        ) {
            bytes += $0.take()
        }
        bytes += json.take()
        return try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    }

    @Test("A refusal that an option lifts has a remedy by the words for it, and any other failure has none")
    func remedies() throws {
        for (cause, command) in [(Cause.notAllowed, "let it"), (.refused, nil)] as [(Cause, String?)] {
            var sample = SampleExchange()
            let failure = ExchangeFailure(side: .client, phase: .connect, cause: cause, message: "It may not.")
            (sample.exchange.outcome, sample.exchange.failure) = (.failed, failure)
            var json = JSONWriter()
            let writer = ExchangeJSON(
                sample.record,
                includesBodies: false,
                remedyWords: nil,
                refusalWords: { $0.cause == .notAllowed ? "let it" : nil }
            )
            try writer.write(to: &json, source: sample.source) { _ in }
            let remedy = try JSONReader.value(json.take())["remedy"]
            #expect(remedy?["command"]?.string == command)
            #expect(remedy?["explanation"]?.string == command.map { _ in "It may not." })
        }
    }

    @Test("An exchange holds the listing's keys, both heads as they came, and decoded bodies")
    func writesAll() throws {
        let body = try Coded.zlib("gzip", Array("{\"a\":1}".utf8))
        var sample = SampleExchange(
            response: "HTTP/1.1 200 OK\nContent-Type: application/json\nContent-Encoding: gzip\nX-A: 1\nx-a: 2\n\n",
            responseBody: body
        )
        sample.exchange.request.sentHead = ByteBuffer(string: "GET /a HTTP/1.1\r\n\r\n")
        sample.exchange.response?.trailers = ByteBuffer(string: "X-Sum: 9\r\n")
        sample.exchange.interim = [ByteBuffer(string: "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n")]
        sample.exchange.warnings = ["odd"]
        sample.exchange.replayOf = 5
        let object = try Self.object(sample)
        #expect(object["id"] as? Int == 1)
        #expect(object["url"] as? String == "https://api.example.test/a?x=1")
        #expect(object["replayOf"] as? Int == 5)
        #expect(object["warnings"] as? [String] == ["odd"])
        let request = try #require(object["request"] as? [String: Any])
        #expect(request["head"] as? String == "GET /a?x=1 HTTP/1.1\r\nHost: api.example.test\r\n\r\n")
        #expect(request["sentHead"] as? String == "GET /a HTTP/1.1\r\n\r\n")
        let response = try #require(object["response"] as? [String: Any])
        #expect((response["fields"] as? [[String]])?.suffix(2) == [["X-A", "1"], ["x-a", "2"]])
        #expect(response["trailers"] as? [[String]] == [["X-Sum", "9"]])
        let content = try #require(response["body"] as? [String: Any])
        #expect(content["size"] as? Int == body.count)
        #expect(content["text"] as? String == "{\"a\":1}")
        #expect(content["encoding"] as? String == "utf-8")
        #expect(content["codings"] as? [String] == ["gzip"])
        #expect(content["sha256"] as? String == String(repeating: "ab", count: 32))
        #expect((object["interim"] as? [[String: Any]])?.first?["fields"] as? [[String]] == [["Link", "</a>"]])
    }

    @Test("What rules did is listed, each with what it changed; without rules no member of theirs is written")
    func writesRules() throws {
        var sample = SampleExchange()
        let bare = try Self.object(sample)
        for name in ["rules", "ruleNames", "modified"] { #expect(bare[name] == nil, "\(name)") }
        sample.exchange.rules = [
            RuleUse(rule: "staging", phase: .requestHead, action: "send", what: "host"),
            RuleUse(rule: "flaky", phase: .responseHead, action: "respond", what: "", note: "shadowed by staging"),
        ]
        sample.exchange.rules[0].microseconds = 1_500
        let object = try Self.object(sample)
        let rules = try #require(object["rules"] as? [[String: Any]])
        #expect(rules.map { $0["rule"] as? String } == ["staging", "flaky"])
        #expect(rules.map { $0["phase"] as? String } == ["request-head", "response-head"])
        #expect(rules.map { $0["what"] as? String } == ["host", ""])
        #expect(rules.map { $0["heldMs"] as? Double } == [1.5, nil])
        #expect(rules.map { $0["note"] as? String } == [nil, "shadowed by staging"])
        #expect(object["ruleNames"] as? [String] == ["staging", "flaky"] && object["modified"] as? Bool == true)
    }

    @Test("Certificates are PEM, and what TLS settled is told for both sides")
    func writesConnections() throws {
        var sample = SampleExchange()
        var tls = Peer.TLS(
            version: "TLSv1.3",
            serverName: "a.test",
            applicationProtocol: "h2",
            certificates: [[1, 2, 3]]
        )
        tls.cipher = "TLS_AES_128_GCM_SHA256"
        sample.exchange.upstream = Peer(token: 3, address: "192.0.2.1:443", tls: tls)
        sample.exchange.client = Peer(token: 1, address: "", tls: nil, process: LocalProcess(id: 7, name: "curl"))
        let object = try Self.object(sample)
        let upstream = try #require(object["upstreamConnection"] as? [String: Any])
        let told = try #require(upstream["tls"] as? [String: Any])
        #expect(told["serverName"] as? String == "a.test" && told["alpn"] as? String == "h2")
        #expect(told["certificates"] as? [String] == ["-----BEGIN CERTIFICATE-----\nAQID\n-----END CERTIFICATE-----\n"])
        #expect(told["cipher"] as? String == "TLS_AES_128_GCM_SHA256")
        let client = try #require(object["clientConnection"] as? [String: Any])
        #expect(client["tls"] is NSNull && upstream["process"] == nil)
        let process = try #require(client["process"] as? [String: Any])
        #expect(process["pid"] as? Int == 7 && process["name"] as? String == "curl")
    }

    @Test("Without bodies, their measures stay")
    func leavesBodiesOut() throws {
        let object = try Self.object(SampleExchange(responseBody: [1, 2]), includesBodies: false)
        let body = try #require((object["response"] as? [String: Any])?["body"] as? [String: Any])
        #expect(body["size"] as? Int == 2 && body["text"] == nil && body["base64"] == nil)
    }

    @Test("A head that is no UTF-8 is there as bytes too")
    func keepsOddHeads() throws {
        var sample = SampleExchange()
        let bytes: [UInt8] = Array("GET / HTTP/1.1\r\nX: ".utf8) + [0xE9] + Array("\r\n\r\n".utf8)
        sample.exchange.request.head = ByteBuffer(bytes: bytes)
        let request = try #require(try Self.object(sample)["request"] as? [String: Any])
        #expect(request["headBase64"] as? String == Data(bytes).base64EncodedString())
        #expect((request["fields"] as? [[String]])?.first == ["X", "é"])
    }

    @Test("A missing response is null")
    func writesNoResponse() throws {
        #expect(try Self.object(SampleExchange(response: nil, code: nil))["response"] is NSNull)
    }
}
