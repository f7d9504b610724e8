import Testing

@Suite("Hosts that pass through, over the API", .timeLimit(.minutes(15)))
struct PassThroughTests {
    private func remove(_ page: RunningPage, _ host: String) async throws -> Reply {
        let fields = [("Authorization", "Bearer \(page.token)"), ("Content-Type", "application/json")]
        return try await page.ask("DELETE", "/api/v1/pass-through/\(host)", fields: fields)
    }

    @Test("The list is told, gets one more, and loses one; what cannot be is answered with a sentence")
    func changes() async throws {
        try await RunningPage.with(control: ReplayRecorder()) { page in
            let before = try await page.get("/api/v1/pass-through")
            #expect(before.text == "{\"hosts\":[{\"host\":\"*.apple.test\",\"added\":false}]}\n", "\(before.text)")
            let added = try await page.post("/api/v1/pass-through", "{\"host\":\"Api.test\"}")
            #expect(
                added.status == 200 && added.text.contains("{\"host\":\"api.test\",\"added\":true}"),
                "\(added.text)"
            )
            #expect(try await page.post("/api/v1/pass-through", "{\"host\":\"a b\"}").status == 400)
            #expect(try await page.post("/api/v1/pass-through", "{}").status == 400)
            let removed = try await remove(page, "%2A.apple.test")
            #expect(removed.text == "{\"hosts\":[{\"host\":\"api.test\",\"added\":true}]}\n", "\(removed.text)")
            #expect(try await remove(page, "nowhere.test").status == 404)
        }
    }

    @Test("Without a proxy there is nothing to pass through")
    func noProxy() async throws {
        try await RunningPage.with { page in
            let listed = try await page.get("/api/v1/pass-through")
            let added = try await page.post("/api/v1/pass-through", "{\"host\":\"a.test\"}")
            #expect(listed.status == 409 && added.status == 409)
        }
    }
}
