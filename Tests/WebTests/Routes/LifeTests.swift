import Archive
import Foundation
import Support
import Testing
import Traffic

@Suite("What is said of exchanges, deleting them, saved searches and the store, over the API", .timeLimit(.minutes(15)))
struct LifeTests {
    private func send(_ page: RunningPage, _ method: String, _ target: String, _ body: String = "{}") async throws
        -> Reply
    {
        let client = try await RawClient.connect(port: page.port)
        try await client.send(
            """
            \(method) /api/v1/\(target) HTTP/1.1\r
            Host: 127.0.0.1:\(page.port)\r
            Authorization: Bearer \(page.token)\r
            Content-Type: application/json\r
            Content-Length: \(body.utf8.count)\r
            Connection: close\r
            \r
            \(body)
            """
        )
        return try Reply(await client.readToEnd())
    }

    private func facet(_ page: RunningPage, _ name: String) async throws -> [String: Int] {
        let listing = try await page.get("/api/v1/exchanges?limit=0").json(as: ListingJSON.self)
        return Dictionary(uniqueKeysWithValues: (listing.facets[name] ?? []).map { ($0.value, $0.count) })
    }

    @Test("The rules of an exchange are a category, and are told in rows, in the exchange and as they happen")
    func rules() async throws {
        try await RunningPage.with { page in
            let events = try await RawClient.connect(port: page.port)
            try await events.send(
                "GET /api/v1/events?rule=staging HTTP/1.1\r\nHost: 127.0.0.1:\(page.port)\r\nAuthorization: Bearer \(page.token)\r\n\r\n"
            )
            _ = try await events.read(through: "event: hello")
            var ruled = Recorded.exchange()
            ruled.rules = [RuleUse(rule: "staging", phase: .requestHead, action: "send", what: "host")]
            try await page.store.record(Recorded.exchange())
            try await page.store.record(ruled)
            _ = try await events.read(through: #""ruleNames":["staging"],"modified":true"#)
            #expect(try await facet(page, "rule") == ["staging": 1, "none": 1])
            for (query, ids) in [("rule=staging", [2]), ("rule=none", [1]), ("q=is:modified%20rule:st*", [2])] {
                let rows = try await page.get("/api/v1/exchanges?\(query)").json(as: ListingJSON.self)
                #expect(rows.exchanges.map(\.id) == ids.map(ExchangeID.init), "\(query)")
            }
            let whole = try await page.get("/api/v1/exchanges/2").text
            let use = #"{"rule":"staging","phase":"request-head","action":"send","what":"host"}"#
            #expect(whole.contains("\"rules\":[\(use)]"), "\(whole)")
        }
    }

    @Test("Marks are set by a query, come in the listing, and are told as they happen")
    func marks() async throws {
        try await RunningPage.with { page in
            for code in [200, 404, 500] { try await page.store.record(Recorded.exchange(code: code)) }
            let events = try await RawClient.connect(port: page.port)
            try await events.send(
                "GET /api/v1/events?tag=slow HTTP/1.1\r\nHost: 127.0.0.1:\(page.port)\r\nAuthorization: Bearer \(page.token)\r\n\r\n"
            )
            _ = try await events.read(through: "event: hello")
            let marked = try await send(
                page,
                "POST",
                "marks?q=id:2,3",
                #"{"add": ["Slow"], "favourite": true, "note": "why"}"#
            )
            #expect(try marked.json(as: [String: Int].self) == ["marked": 2])
            _ = try await events.read(through: #""favourite":true,"tags":["slow"],"note":"why""#)
            let rows = try await page.get("/api/v1/exchanges?q=is:favourite%20note:why&tag=slow").json(
                as: ListingJSON.self
            )
            #expect(rows.exchanges.map(\.id) == [3, 2] && rows.exchanges.first?.tags == ["slow"])
            #expect(try await facet(page, "tag") == ["slow": 2, "none": 1])
            #expect(try await send(page, "POST", "marks?q=id:2", #"{"remove": ["slow"], "note": ""}"#).status == 200)
            #expect(try await facet(page, "tag") == ["slow": 1, "none": 2])
            for body in [
                "{}", "[]", "", #"{"add": "slow"}"#, #"{"add": ["two words"]}"#, #"{"favorite": true, "add": ["x"]}"#,
            ] {
                #expect(try await send(page, "POST", "marks?q=id:2", body).status == 400, "\(body)")
            }
            #expect(try await send(page, "POST", "marks", #"{"add": ["x"]}"#).status == 400, "Nothing says which")
        }
    }

    @Test("Clearing deletes what the address selects, tells the page to list again, and needs all=true for all")
    func clear() async throws {
        try await RunningPage.with { page in
            for code in [200, 404, 500] { try await page.store.record(Recorded.exchange(code: code)) }
            let events = try await RawClient.connect(port: page.port)
            try await events.send(
                "GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1:\(page.port)\r\nAuthorization: Bearer \(page.token)\r\n\r\n"
            )
            _ = try await events.read(through: "event: hello")
            #expect(try await send(page, "POST", "clear").status == 400)
            let cleared = try await send(page, "POST", "clear?code=4xx")
            #expect(try cleared.json(as: [String: Int].self) == ["deleted": 1, "open": 0])
            _ = try await events.read(through: "event: resync")
            #expect(try await facet(page, "code") == ["200": 1, "500": 1])
            #expect(try await page.get("/api/v1/exchanges/2").status == 404)
            #expect(
                try await send(page, "POST", "clear?all=true").json(as: [String: Int].self) == [
                    "deleted": 2, "open": 0,
                ]
            )
            let compacted = try await send(page, "POST", "compact").object()
            #expect((compacted["after"] as? Int ?? 0) > 0)
            let report = try await page.get("/api/v1/store?check=true").object()
            #expect(report["exchanges"] as? Int == 0 && (report["check"] as? [String: Any])?["sound"] as? Bool == true)
        }
    }

    @Test("A saved search stands for its query in an address, and one that is not saved is refused")
    func saved() async throws {
        try await RunningPage.with { page in
            for code in [200, 404, 500] { try await page.store.record(Recorded.exchange(code: code)) }
            #expect(try await send(page, "POST", "saved", #"{"name": "Bad", "query": "code:>=400"}"#).status == 200)
            #expect(try await page.get("/api/v1/exchanges?q=%40bad").json(as: ListingJSON.self).matched == 2)
            #expect(try await page.get("/api/v1/exchanges?q=%40good").status == 400)
            #expect(try await page.get("/api/v1/complete?q=-%40b").text.contains(#""-@bad""#))
            #expect(try await page.get("/api/v1/saved").text.contains(#"{"name":"bad","query":"code:>=400"}"#))
            #expect(try await send(page, "POST", "saved", #"{"name": "Bad", "query": "codes:4"}"#).status == 400)
            #expect(try await send(page, "DELETE", "saved/bad").status == 200)
            #expect(try await send(page, "DELETE", "saved/bad").status == 404)
            // Every character that a name may have is taken from the path as it was meant.
            let name = "zürich-_.:/@#+1"
            #expect(try await send(page, "POST", "saved", #"{"name": "\#(name)", "query": "code:404"}"#).status == 200)
            let removed = try await send(page, "DELETE", "saved/z%C3%BCrich%2D%5F%2e%3A%2f%40%23%2B1")
            #expect(try removed.json(as: [String: Bool].self) == ["removed": true])
        }
    }
}
