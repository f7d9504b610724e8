import Support
import Testing
import Traffic

@Suite(.timeLimit(.minutes(15)))
struct FilterLineTests {
    private static func summary(_ target: String) -> ExchangeSummary {
        ExchangeSummary(
            id: 1,
            started: 0,
            duration: nil,
            method: "GET",
            scheme: .https,
            host: "api.test",
            port: 443,
            target: target,
            code: 200,
            mediaType: nil,
            requestBytes: 0,
            responseBytes: 0,
            version: .http11,
            upstreamVersion: .http11,
            outcome: .completed,
            failure: nil
        )
    }

    @Test("A query is looked at as it was sent, and as it is decoded where that is something else")
    func queries() {
        var generator = SeededGenerator(seed: 7)
        var (same, different) = (0, 0)
        for _ in 1...5_000 {
            let query = String(
                decoding: generator.bytes(
                    of: ["a", "b=1", "=", "&", "&&", "%41", "+", "#", "é", "?", "\u{304}"],
                    atMost: 20
                ),
                as: UTF8.self
            )
            let target = "/path?\(query)"
            let items = QueryString.items(target).map { "\($0.name)=\($0.value)" }.joined(separator: "&")
            let texts = FilterLine.query.texts(Self.summary(target))
            #expect(texts == (items == query ? [query] : [query, items]), "\(query)")
            if texts.count == 1 { same += 1 } else { different += 1 }
        }
        #expect(same > 100 && different > 100)
        #expect(FilterLine.query.texts(Self.summary("/path")) == [])
    }

    @Test("A URL is its start and its target")
    func starts() {
        var other = Self.summary("/b")
        #expect(Self.summary("/a").urlStart == "https://api.test")
        #expect(Self.summary("/a").sharesURLStart(with: other))
        other.port = 8443
        #expect(!Self.summary("/a").sharesURLStart(with: other) && other.urlStart == "https://api.test:8443")
        var tunnel = Self.summary("api.test:443")
        tunnel.method = "CONNECT"
        tunnel.scheme = nil
        #expect(tunnel.urlStart.isEmpty && tunnel.url == "api.test:443")
    }
}
