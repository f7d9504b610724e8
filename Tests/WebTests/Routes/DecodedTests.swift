import Store
import Testing
import Traffic

@Suite("What an exchange means, over the API", .timeLimit(.minutes(15)))
struct DecodedTests {
    private static let meetings = Array(#"{"meta": {"total": 0}, "meetings": []}"#.utf8)

    @Test("Its lens's view is an object, also of an exchange that was recorded without a lens")
    func decodes() async throws {
        try await RunningPage.with { page in
            let exchange = Recorded.exchange(host: "local.test", target: "/feed?query", length: Self.meetings.count)
            try await page.store.record(exchange, response: Self.meetings)
            #expect(try page.store.summaries(of: [1]).first?.lens == nil)
            let reply = try await page.get("/api/v1/exchanges/1/decoded")
            let view = try reply.object()
            #expect(reply.status == 200 && reply["content-type"] == "application/json")
            #expect(view["lens"] as? String == "meetings" && view["title"] as? String == "Virtual Meeting Finder")
            #expect((view["request"] as? String)?.isEmpty == false && view["sections"] is [Any])
            let findings = try await page.get("/api/v1/exchanges/1/findings").object()
            #expect(findings["findings"] is [Any])
        }
    }

    @Test("Where no lens reads it the view is null, and there are no findings; where there is no exchange both are 404")
    func refuses() async throws {
        try await RunningPage.with { page in
            let picture = Recorded.exchange(
                host: "local.test",
                target: "/a.png",
                fields: [("Content-Type", "image/png")]
            )
            try await page.store.record(picture)
            let reply = try await page.get("/api/v1/exchanges/1/decoded")
            #expect(reply.status == 200 && reply.text == "null\n")
            #expect(try await page.get("/api/v1/exchanges/1/findings").text == "{\"findings\":[]}\n")
            for path in ["2/decoded", "2/findings", "x/decoded"] {
                #expect(try await page.get("/api/v1/exchanges/\(path)").status == 404)
            }
        }
    }
}
