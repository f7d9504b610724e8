import Testing

@Suite("The overview of a filter", .timeLimit(.minutes(15)))
struct OverviewTests {
    @Test("Buckets and slots of what is selected; the strip goes past the window where it is asked to")
    func overview() async throws {
        try await RunningPage.with { page in
            for second in 0..<4 {
                try await page.store.record(
                    Recorded.exchange(code: [200, 404, 500, 200][second], offset: Int64(second) * 1_000_000)
                )
            }
            try await page.store.record(Recorded.refused(offset: 3_900_000))
            let plain = try await page.get("/api/v1/overview")
            #expect(plain.text == "{\"total\":5,\"matched\":5,\"first\":1,\"bucketSize\":256,\"counts\":[5]}\n")
            let window = "since=2026-11-20T14:02:04Z&before=2026-11-20T14:02:06Z"
            let cut = try await page.get("/api/v1/overview?\(window)&slots=2")
            #expect(
                cut.text == """
                    {"total":5,"matched":2,"first":1,"bucketSize":256,"counts":[2],"from":"2026-11-20T14:02:04.000Z",\
                    "to":"2026-11-20T14:02:06.000Z","slotMs":1000,"slots":{"completed":[0,0],"clientError":[1,0],\
                    "serverError":[0,1],"failed":[0,0],"cancelled":[0,0],"pending":[0,0],"tunnelled":[0,0]}}

                    """
            )
            let whole = try await page.get("/api/v1/overview?\(window)&slots=10&strip=whole").object()
            #expect(whole["matched"] as? Int == 2 && whole["slotMs"] as? Int == 500)
            #expect(whole["from"] as? String == "2026-11-20T14:02:03.000Z")
            let slots = try #require(whole["slots"] as? [String: [Int]])
            #expect(slots["completed"] == [1, 0, 0, 0, 0, 0, 1, 0, 0] && slots["failed"]?.last == 1)
        }
    }

    @Test(
        "What cannot be read is 400 with a sentence that names it",
        arguments: ["slots=0", "slots=1001", "slots=x", "strip=half", "limit=5", "code=banana"]
    )
    func refuses(query: String) async throws {
        try await RunningPage.with { page in
            let reply = try await page.get("/api/v1/overview?\(query)")
            #expect(reply.status == 400)
            #expect(try reply.json(as: [String: String].self)["error"]?.contains(query.prefix { $0 != "=" }) == true)
        }
    }
}
