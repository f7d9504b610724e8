import Crypto
import NIOCore
import Traffic

/// The capture that the stored file of a version holds, as the store of today has to read it.
///
/// The files tell the same story, each as far as its version had a place for it.
struct StoredCapture {
    /// The version of the file.
    let version: Int

    /// When the first exchange began: microseconds since 1970.
    private static let began: Int64 = 1_763_690_000_000_000
    private static let list = #"[{"id":1,"name":"Library"}]"#
    private static let note = "note=hello"
    private static let events = "data: one\n\ndata: two\n\n"

    /// Every exchange, by number.
    var exchanges: [Exchange] {
        [first, replay, refused, brokenOff, stream] + (version < 5 ? [] : [imported])
    }

    /// The number that the next exchange gets: numbers of deleted exchanges are kept since version 4.
    var next: ExchangeID { version < 4 ? 6 : 10 }

    /// The bodies that are kept.
    var bodies: [(id: ExchangeID, side: MessageSide, text: String)] {
        [
            (1, .response, Self.list), (2, .response, Self.list), (3, .request, Self.note), (4, .response, "half"),
            (5, .response, Self.events),
        ] + (version < 5 ? [] : [(6, .response, "kept.")])
    }

    /// The messages of exchange 5.
    var messages: [StreamMessage] {
        guard version >= 2 else { return [] }
        return ["one", "two"].enumerated().map { index, text in
            var message = StreamMessage(
                side: .response,
                time: Self.began + 4_010_000 + Int64(index) * 10_000,
                kind: .event,
                wireBytes: 11,
                size: 3,
                payload: ByteBuffer(string: text)
            )
            message.number = Int64(index + 1)
            if index == 1 { (message.eventName, message.eventID) = ("news", "41") }
            return message
        }
    }

    /// What somebody said of exchange 1.
    var marks: ExchangeMarks {
        version < 4
            ? ExchangeMarks()
            : ExchangeMarks(isFavourite: true, tags: ["campus", "slow"], note: "The kitchen's first.")
    }

    /// The lens of exchanges 1 and 2, and their client's name.
    var lens: String? { version < 6 ? nil : "json" }
    var clientName: String? { version < 6 ? nil : "curl" }
    /// The program that sent every exchange but 3 and 6.
    var process: LocalProcess? { version < 7 ? nil : LocalProcess(id: 4711, name: "curl") }

    /// What rules did to exchange 1.
    var rules: [RuleUse] {
        guard version >= 8 else { return [] }
        var delay = RuleUse(rule: "slow", phase: .responseHead, action: "delay", what: "300 ms")
        delay.microseconds = 300_000
        let shadowed = RuleUse(
            rule: "flaky",
            phase: .requestHead,
            action: "respond",
            what: "",
            note: "shadowed by staging"
        )
        return [
            RuleUse(rule: "staging", phase: .requestHead, action: "send", what: "host, \"Tea\" ×20"), delay, shadowed,
        ]
    }

    // MARK: exchanges

    private var first: Exchange {
        var exchange = exchange(1, "GET", "/v2/facilities/", of: "Host: api.example.test")
        exchange.timeline.duration = 21_600
        exchange.timeline.blocked = 20
        exchange.timeline.dns = 900
        exchange.timeline.connect = 1_100
        exchange.timeline.tls = 4_200
        (exchange.timeline.send, exchange.timeline.wait, exchange.timeline.receive) = (80, 15_000, 300)
        answer(&exchange, "application/json", "Content-Length: 27", body: Self.list)
        exchange.rules = rules
        return exchange
    }

    private var replay: Exchange {
        var exchange = exchange(2, "GET", "/v2/facilities/", of: "Host: api.example.test")
        exchange.timeline.duration = 9_000
        (exchange.timeline.send, exchange.timeline.wait, exchange.timeline.receive) = (60, 8_700, 240)
        exchange.replayOf = 1
        exchange.request.sentHead = ByteBuffer(
            string: "GET /v2/facilities/ HTTP/1.1\r\nHost: api.example.test\r\nVia: 1.1 inspect\r\n\r\n"
        )
        answer(&exchange, "application/json", "Transfer-Encoding: chunked", body: Self.list)
        exchange.response?.trailers = ByteBuffer(string: "Checked: yes\r\n")
        exchange.interim = [ByteBuffer(string: "HTTP/1.1 103 Early Hints\r\n\r\n")]
        return exchange
    }

    private var refused: Exchange {
        var exchange = exchange(3, "POST", "/v1/notes", of: "Host: other.example.test", "Content-Length: 10")
        (exchange.scheme, exchange.host, exchange.port) = (.http, "down.example.test", 80)
        exchange.timeline.duration = 1_500
        (exchange.timeline.dns, exchange.timeline.connect) = (700, 400)
        exchange.request.body = Self.measure(of: Self.note)
        exchange.client = Peer(token: 3, address: "127.0.0.1:50413", tls: nil)
        (exchange.upstream, exchange.upstreamVersion) = (nil, nil)
        exchange.ownResponse = ByteBuffer(string: "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n")
        exchange.outcome = .failed
        exchange.failure = ExchangeFailure(
            side: .upstream,
            phase: .connect,
            cause: .refused,
            message: "Nobody listens at down.example.test:80.",
            retry: true
        )
        exchange.warnings = ["The Host field names another host."]
        return exchange
    }

    /// Its writer was killed: the store of today closes it.
    private var brokenOff: Exchange {
        var exchange = exchange(4, "GET", "/v2/slow", of: "Host: api.example.test")
        (exchange.timeline.send, exchange.timeline.wait) = (50, 7_000)
        answer(&exchange, "text/plain", "Content-Length: 9", body: nil)
        exchange.response?.body = Body(length: 4, kept: 4, sha256: [])
        exchange.outcome = .failed
        exchange.failure = ExchangeFailure(
            side: .proxy,
            phase: .receive,
            cause: .crash,
            message: "inspect was stopped or killed before this exchange ended."
        )
        return exchange
    }

    private var stream: Exchange {
        var exchange = exchange(5, "GET", "/v2/events", of: "Host: api.example.test")
        exchange.timeline.duration = 60_000
        (exchange.timeline.send, exchange.timeline.wait, exchange.timeline.receive) = (40, 900, 59_000)
        answer(&exchange, "text/event-stream", body: Self.events)
        if version >= 2 {
            (exchange.upstreamVersion, exchange.upstreamStream) = (.http2, 9)
            exchange.messages = MessageCounts(response: 2)
        }
        return exchange
    }

    private var imported: Exchange {
        var exchange = exchange(6, "GET", "/page", version: .http2, of: "Host: old.example.test")
        exchange.host = "old.example.test"
        exchange.timeline.duration = 3_000
        exchange.client = Peer(token: 0, address: "", tls: nil)
        (exchange.upstream, exchange.upstreamVersion) = (nil, nil)
        (exchange.code, exchange.mediaType) = (200, "text/plain")
        let head = "HTTP/2 200\r\nContent-Type: text/plain\r\nContent-Encoding: gzip\r\n\r\n"
        exchange.response = Message(
            head: ByteBuffer(string: head),
            body: Body(length: 25, kept: 5, sha256: [])
        )
        exchange.response?.body.archived = ArchivedBody(form: .text, size: 5, kept: 25, problem: nil)
        return exchange
    }

    // MARK: parts

    private func exchange(
        _ id: ExchangeID,
        _ method: String,
        _ target: String,
        version: HTTPVersion = .http11,
        of fields: String...
    ) -> Exchange {
        let lines = ["\(method) \(target) \(version.rawValue)"] + fields
        var exchange = Exchange(
            timeline: Timeline(started: Self.began + (id - 1) * 1_000_000),
            method: method,
            scheme: .https,
            host: "api.example.test",
            port: 443,
            target: target,
            request: Message(head: Self.head(lines)),
            client: client,
            outcome: .completed
        )
        exchange.id = id
        exchange.upstream = upstream
        (exchange.version, exchange.upstreamVersion) = (version, .http11)
        return exchange
    }

    private func answer(_ exchange: inout Exchange, _ type: String, _ fields: String..., body: String?) {
        let lines = ["HTTP/1.1 200 OK", "Content-Type: \(type)"] + fields
        (exchange.code, exchange.mediaType) = (200, type)
        exchange.response = Message(head: Self.head(lines), body: body.map(Self.measure) ?? Body())
    }

    private var client: Peer {
        var tls = Peer.TLS(version: "TLSv1.3", serverName: "api.example.test", applicationProtocol: "http/1.1")
        tls.cipher = version < 7 ? nil : "TLS_AES_128_GCM_SHA256"
        return Peer(
            token: 1,
            address: "127.0.0.1:50412",
            tls: tls,
            process: process,
            hello: version < 7 ? nil : "t13d3112h2_e8f1e7e78f70_b26ce05bbdd6",
            runtime: version < 7 ? nil : .curl
        )
    }

    private var upstream: Peer {
        var tls = Peer.TLS(
            version: "TLSv1.3",
            serverName: "api.example.test",
            applicationProtocol: "http/1.1",
            certificates: [[0x30, 3, 2, 1, 1], [0x30, 3, 2, 1, 2]]
        )
        tls.cipher = version < 7 ? nil : "TLS_AES_256_GCM_SHA384"
        return Peer(token: 2, address: "192.0.2.10:443", tls: tls)
    }

    private static func head(_ lines: [String]) -> ByteBuffer {
        ByteBuffer(string: lines.joined(separator: "\r\n") + "\r\n\r\n")
    }

    private static func measure(of text: String) -> Body {
        let count = Int64(text.utf8.count)
        return Body(length: count, kept: count, sha256: Array(SHA256.hash(data: Array(text.utf8))))
    }
}
