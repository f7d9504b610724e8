import Archive
import Foundation
import NIOCore
import Store
import Testing
import Traffic
import Web

@Suite("The API lists what the CLI lists", .timeLimit(.minutes(15)))
struct ListingTests {
    /// A small mix: 200, 200, 404, 500 over two hosts and two schemes, and a refused one.
    private func fill(_ page: RunningPage) async throws {
        try await page.store.record(Recorded.exchange(offset: 0))
        try await page.store.record(Recorded.exchange(method: "POST", offset: 1_000_000))
        try await page.store.record(
            Recorded.exchange(code: 404, scheme: .http, host: "notices.example.test", offset: 2_000_000)
        )
        try await page.store.record(Recorded.exchange(code: 500, offset: 3_000_000))
        try await page.store.record(Recorded.refused(offset: 4_000_000))
    }

    @Test("The listing has the contract's keys, newest first, and its page's twin says the same")
    func contract() async throws {
        try await RunningPage.with { page in
            try await fill(page)
            let reply = try await page.get("/api/v1/exchanges")
            #expect(reply["content-type"] == "application/json")
            let object = try reply.object()
            #expect(Set(object.keys) == ["total", "matched", "truncated", "next", "facets", "exchanges"])
            let rows = try #require(object["exchanges"] as? [[String: Any]])
            #expect(rows.count == 5)
            #expect(
                rows.allSatisfy { row in
                    Set(row.keys).isSuperset(of: [
                        "id", "started", "durationMs", "method", "scheme", "host", "port", "target", "code", "type",
                        "url", "requestBytes",
                        "responseBytes", "protocol", "upstreamProtocol", "client", "lens", "process", "outcome",
                        "failure",
                    ])
                }
            )
            let listing = try reply.json(as: ListingJSON.self)
            #expect(listing.exchanges.map(\.id) == [5, 4, 3, 2, 1])
            #expect(listing.exchanges.last?.started == "2026-11-20T14:02:03.456Z")
            #expect(listing.exchanges.last?.target == "/v2/facilities/?format=json")
            #expect(listing.exchanges.first?.failure?.cause == .refused)
            #expect(try await page.get("/exchanges.json").body == reply.body)
        }
    }

    @Test("Filters join by OR within a key and AND across keys; counts are faceted")
    func filters() async throws {
        try await RunningPage.with { page in
            try await fill(page)
            func matched(_ query: String) async throws -> [ExchangeID] {
                try await page.get("/api/v1/exchanges?\(query)").json(as: ListingJSON.self).exchanges.map(\.id)
            }
            #expect(try await matched("code=500,404") == [4, 3])
            #expect(try await matched("code=500&code=404") == [4, 3])
            #expect(try await matched("code=4xx&scheme=http") == [3])
            #expect(try await matched("code=failed") == [5])
            #expect(try await matched("method=post") == [2])
            #expect(try await matched("host=*.example.test&code=%3E%3D400") == [4, 3])
            #expect(try await matched("since=2026-11-20T14:02:05.456Z") == [5, 4, 3])
            #expect(try await matched("before=2026-11-20T14:02:04.456Z") == [1])
            #expect(try await matched("since=10m") == [])
            let listing = try await page.get("/api/v1/exchanges?code=500").json(as: ListingJSON.self)
            #expect((listing.total, listing.matched) == (5, 1))
            let codes = try #require(listing.facets["code"])
            #expect(codes.first { $0.value == "500" } == FacetCount(value: "500", count: 1, selected: true))
            #expect(codes.first { $0.value == "404" } == FacetCount(value: "404", count: 1, selected: false))
            #expect(listing.facets["method"]?.first { $0.value == "POST" }?.count == 0)
        }
    }

    @Test("Ages count back from the page's clock")
    func ages() async throws {
        let now = Date(timeIntervalSince1970: Double(Recorded.start) / 1_000_000 + 90.5)
        try await RunningPage.with(configure: { $0.clock = TimeSource { now } }) { page in
            try await fill(page)
            let saved = #"{"name": "late", "query": "since:88s"}"#
            #expect(try await page.post("/api/v1/saved", saved).status == 200)
            for query in ["since=88s", "q=since:88s", "q=@late"] {
                let listing = try await page.get("/api/v1/exchanges?\(query)").json(as: ListingJSON.self)
                #expect(listing.exchanges.map(\.id) == [5, 4], "\(query)")
            }
            let window = try await page.get("/api/v1/exchanges?since=88s&before=87s").json(as: ListingJSON.self)
            #expect(window.exchanges.map(\.id) == [4])
        }
    }

    @Test("Pages follow one another by key until the end")
    func paging() async throws {
        try await RunningPage.with { page in
            try await fill(page)
            var ids: [ExchangeID] = []
            var after = ""
            repeat {
                let listing = try await page.get("/api/v1/exchanges?limit=2&facets=false\(after)").json(
                    as: ListingJSON.self
                )
                ids += listing.exchanges.map(\.id)
                after = listing.next.map { "&after=\($0)" } ?? ""
            } while !after.isEmpty && ids.count < 10
            #expect(ids == [5, 4, 3, 2, 1])
            for address in ["exchanges", "search"] {
                let newer = try await page.get("/api/v1/\(address)?limit=2&newer=1").object()
                #expect((newer["exchanges"] as? [[String: Any]])?.compactMap { $0["id"] as? Int } == [3, 2])
                #expect(newer["next"] as? String == "3")
            }
        }
    }

    @Test(
        "What cannot be read is 400 with a sentence that names it",
        arguments: [
            "code=banana", "code=", "scheme=ftp", "limit=-1", "limit=many", "limit=1001", "after=x", "since=yesterday",
            "since=",
            "before=2026-13-40", "newer=-1", "newer=9223372036854775807", "newer=2&after=4", "facets=maybe",
            "colour=red", "outcome=lost",
        ]
    )
    func refusesUnreadable(query: String) async throws {
        try await RunningPage.with { page in
            let reply = try await page.get("/api/v1/exchanges?\(query)")
            #expect(reply.status == 400)
            let sentence = try #require(try reply.json(as: [String: String].self)["error"])
            #expect(sentence.contains(query.prefix { $0 != "=" }))
        }
    }

    @Test("With progress the listing comes last, after lines that say how far counting is")
    func progress() async throws {
        try await RunningPage.with(configure: { $0.progressInterval = .zero }) { page in
            let events = (1...5_000).map { number in
                ExchangeEvent.ended(UInt64(number), Recorded.exchange(), request: ByteBuffer(), response: ByteBuffer())
            }
            _ = await withCheckedContinuation { continuation in
                page.store.submit(CaptureBatch(events: events) { continuation.resume(returning: $0) })
            }
            try page.store.index()
            let plain = try await page.get("/api/v1/exchanges?limit=2")
            let told = try await page.get("/api/v1/exchanges?limit=2&progress=true")
            #expect(told["content-type"] == "application/x-ndjson")
            let lines = told.text.split(separator: "\n")
            #expect(lines.count > 1 && lines.last.map { "\($0)\n" } == plain.text)
            for line in lines.dropLast() { #expect(["{\"percent\":0}", "{\"percent\":50}"].contains(line)) }
            #expect(try await page.get("/api/v1/exchanges?progress=false").text.hasPrefix("{\"total\":5000,"))
            for query in ["progress=maybe", "progress=true&code=banana"] {
                #expect(try await page.get("/api/v1/exchanges?\(query)").status == 400)
            }
        }
    }

    @Test("One exchange is whole: heads as sent, phases, connections; its twin says the same")
    func exchange() async throws {
        try await RunningPage.with { page in
            try await fill(page)
            let reply = try await page.get("/api/v1/exchanges/1")
            let object = try reply.object()
            let request = try #require(object["request"] as? [String: Any])
            #expect(
                request["head"] as? String
                    == "GET /v2/facilities/?format=json HTTP/1.1\r\nhost: api.example.test\r\nX-Twice: a\r\nX-Twice: b\r\n\r\n"
            )
            #expect(
                request["fields"] as? [[String]] == [
                    ["host", "api.example.test"], ["X-Twice", "a"], ["X-Twice", "b"],
                ]
            )
            #expect((object["timings"] as? [String: Any])?["tlsMs"] as? Double == 8.1)
            #expect((object["upstreamConnection"] as? [String: Any])?["address"] as? String == "192.0.2.10:443")
            let body = try #require((object["response"] as? [String: Any])?["body"] as? [String: Any])
            #expect(body["size"] as? Int == 0 && body["text"] == nil && body["base64"] == nil)
            #expect(try await page.get("/exchanges/1.json").body == reply.body)
            #expect(try await page.get("/api/v1/exchanges/0").status == 404)
            #expect(try await page.get("/api/v1/exchanges/99999999999999999999").status == 404)
        }
    }

    @Test("The instance tells the proxy's address, its root, and whether it records")
    func instance() async throws {
        try await RunningPage.with(control: ReplayRecorder()) { page in
            let object = try await page.get("/api/v1/instance").object()
            #expect(object["proxy"] as? String == "127.0.0.1:9090")
            #expect(object["caFile"] as? String == "/home/sam/ca/root.pem")
            #expect(object["caBundleFile"] as? String == "/home/sam/ca/clients/bundle.pem")
            let clients = try #require(object["clients"] as? [[String: Any]])
            #expect(clients.map { $0["name"] as? String } == ["curl", "node"])
            #expect(
                clients.map { $0["variables"] as? [[String: String]] } == [
                    [["name": "https_proxy", "holds": "proxy"], ["name": "CURL_ROOTS", "holds": "bundle"]],
                    [["name": "NODE_PROXY", "holds": "text", "text": "1"], ["name": "NODE_ROOT", "holds": "root"]],
                ]
            )
            #expect(object["caSystemFile"] as? String == "inspect-root-0123456789abcdef.crt")
            #expect(object["recording"] as? Bool == true)
            #expect((object["gaps"] as? [Any])?.isEmpty == true)
        }
        try await RunningPage.with { page in
            let object = try await page.get("/api/v1/instance").object()
            #expect(object["recording"] as? Bool == false)
        }
    }
}
