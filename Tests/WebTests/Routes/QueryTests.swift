import Archive
import Foundation
import Testing
import Traffic

@Suite("The API takes query text", .timeLimit(.minutes(15)))
struct QueryTests {
    @Test("q selects as the CLI does, beside the categories' own keys, and counts compose under it")
    func selects() async throws {
        try await RunningPage.with { page in
            try await page.store.record(
                Recorded.exchange(length: 13),
                response: Array(#"{"open": "yes"}"#.utf8.prefix(13))
            )
            try await page.store.record(
                Recorded.exchange(code: 404, method: "POST", host: "other.test", offset: 1_000_000)
            )
            try await page.store.record(Recorded.exchange(code: 500, target: "/v3/x?y=1", offset: 2_000_000))
            func listing(_ query: String) async throws -> ListingJSON {
                try await page.get("/api/v1/exchanges?\(query)").json(as: ListingJSON.self)
            }
            #expect(try await listing("q=code:5xx").exchanges.map(\.id) == [3])
            #expect(try await listing("q=-host:other.test+path:/v3").exchanges.map(\.id) == [3])
            #expect(try await listing("q=resbody:OPEN").exchanges.map(\.id) == [1])
            #expect(try await listing("q=header:x-twice%3Db&method=GET").exchanges.map(\.id) == [3, 1])
            let counted = try await listing("q=path:/v2&method=GET")
            #expect(counted.matched == 1)
            #expect(counted.facets["method"]?.first { $0.value == "POST" }?.count == 1)
            #expect(counted.facets["code"]?.first { $0.value == "500" }?.count == 0)
        }
    }

    @Test("A key that is none is refused with those that there are: a listing's own only where a listing is asked for")
    func keys() async throws {
        try await RunningPage.with { page in
            let filter = try await page.get("/api/v1/stats?limit=5")
            #expect(
                filter.status == 400 && filter.text.contains("limit is not a key of the filter; the keys are q, code, ")
            )
            #expect(filter.text.contains("since, before") && !filter.text.contains("newer"), "\(filter.text)")
            let listing = try await page.get("/api/v1/exchanges?colour=red")
            #expect(
                listing.status == 400 && listing.text.contains("colour is not a key of the listing; the keys are q, ")
            )
            #expect(listing.text.contains("before, limit, after, newer, sort, skip, facets"), "\(listing.text)")
        }
    }

    @Test("A query of as many characters as are read may be asked for in any script")
    func isLong() async throws {
        try await RunningPage.with { page in
            try await page.store.record(Recorded.exchange())
            let text = String(repeating: "%E6%97%A5", count: 9_900)
            let reply = try await page.get("/api/v1/exchanges?q=-path:%22\(text)%22")
            #expect(try reply.json(as: ListingJSON.self).matched == 1)
        }
    }

    @Test("A search gives a page at once, uncounted, and says where the text stands")
    func searches() async throws {
        try await RunningPage.with { page in
            for place in 0..<3 {
                try await page.store.record(
                    Recorded.exchange(length: 13, offset: Int64(place) * 1_000_000),
                    response: Array(#"{"open": "yes"}"#.utf8.prefix(13))
                )
            }
            let object = try await page.get("/api/v1/search?q=OPEN&limit=2").object()
            #expect(
                object["matched"] is NSNull && object["next"] as? String == "2" && object["searchedInPart"] as? Int == 0
            )
            let rows = try #require(object["exchanges"] as? [[String: Any]])
            let matches = try #require(rows.first?["matches"] as? [[String: Any]])
            #expect(rows.map { $0["id"] as? Int } == [3, 2] && matches.first?["where"] as? String == "response body")
            let rest = try await page.get("/api/v1/search?q=OPEN&limit=2&after=2").object()
            #expect(rest["next"] is NSNull)
            #expect(try await page.get("/api/v1/search?q=colour:red").status == 400)
        }
    }

    @Test("A query that cannot be read is 400 with the column")
    func refuses() async throws {
        try await RunningPage.with { page in
            let reply = try await page.get("/api/v1/exchanges?q=method:get+colour:red")
            #expect(reply.status == 400)
            let object = try reply.object()
            #expect(object["column"] as? Int == 12)
            #expect((object["error"] as? String)?.contains("there is no key colour") == true)
            #expect(try await page.get("/api/v1/events?q=(").status == 400)
        }
    }

    @Test("Keys and values seen complete a query")
    func completes() async throws {
        try await RunningPage.with { page in
            try await page.store.record(Recorded.exchange(code: 418))
            func completions(_ text: String) async throws -> [String] {
                try await page.get("/api/v1/complete?q=\(text)").json(as: [String: [String]].self)["completions"] ?? []
            }
            #expect(try await completions("me") == ["method:", "message:"])
            #expect(try await completions("x+-code:4") == ["x -code:418", "x -code:4xx"])
            #expect(try await completions("host:a") == ["host:api.example.test"])
            #expect(try await completions("nothing:x") == [])
        }
    }
}
