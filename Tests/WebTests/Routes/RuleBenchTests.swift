import Testing
import Traffic
import Web

@Suite("Rules that do not hold, over the API", .timeLimit(.minutes(15)))
struct RuleBenchTests {
    private static let bench = RuleBench { id, form, _ in
        if form == .edit { throw RuleBench.Refusal("exchange \(id) has no answer") }
        return "rules: \"\(id)\"\n"
    }

    @Test("A rule is made from an exchange that is there, in a form that is known")
    func made() async throws {
        try await RunningPage.with(bench: Self.bench) { page in
            try await page.store.record(Recorded.exchange())
            for address in ["/api/v1/exchanges/1/rule", "/api/v1/exchanges/1/rule?as=stub"] {
                #expect(try await page.get(address).text == "{\"yaml\":\"rules: \\\"1\\\"\\n\"}\n")
            }
            let refused = try await page.get("/api/v1/exchanges/1/rule?as=edit")
            #expect(refused.status == 409 && refused.text.contains("exchange 1 has no answer."), "\(refused.text)")
            #expect(try await page.get("/api/v1/exchanges/1/rule?as=hold").status == 400)
            #expect(try await page.get("/api/v1/exchanges/2/rule").status == 404)
        }
        try await RunningPage.with { page in
            try await page.store.record(Recorded.exchange())
            #expect(try await page.get("/api/v1/exchanges/1/rule").status == 409)
        }
    }
}
