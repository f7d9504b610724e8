import Testing
import Traffic

@testable import Web

@Suite("A replay is asked of the proxy, with the record as it is", .timeLimit(.minutes(1)))
struct ReplayTests {
    private func post(_ page: RunningPage, _ target: String) async throws -> Reply {
        try await page.ask(
            "POST",
            target,
            fields: [("Authorization", "Bearer \(page.token)"), ("Content-Type", "application/json")]
        )
    }

    @Test("The proxy gets the recorded exchange and the whole body, and the answer names the new exchange")
    func replays() async throws {
        let control = ReplayRecorder()
        try await RunningPage.with(control: control) { page in
            let body = (0..<600_000).map { UInt8(truncatingIfNeeded: $0) }
            var exchange = Recorded.exchange(method: "POST")
            exchange.request.body = Body(length: 600_000, kept: 600_000, sha256: Array(repeating: 1, count: 32))
            let id = try await page.store.record(exchange, request: body)
            let reply = try await post(page, "/api/v1/exchanges/\(id)/replay")
            #expect(reply.status == 200)
            #expect(try reply.json(as: [String: Int].self) == ["id": 4_711])
            #expect(control.asked.count == 1)
            #expect(control.asked.first?.original.id == id)
            #expect(control.asked.first?.body == body)
        }
    }

    @Test("What cannot be sent again is refused in a sentence, and the proxy is not asked")
    func refuses() async throws {
        let control = ReplayRecorder()
        try await RunningPage.with(control: control) { page in
            var cut = Recorded.exchange(method: "POST")
            cut.request.body = Body(length: 100, kept: 3, sha256: Array(repeating: 1, count: 32))
            let id = try await page.store.record(cut, request: [1, 2, 3])
            #expect(try await post(page, "/api/v1/exchanges/\(id)/replay").status == 409)
            #expect(try await post(page, "/api/v1/exchanges/99/replay").status == 404)
            #expect(try await page.get("/api/v1/exchanges/\(id)/replay").status == 404)
            #expect(control.asked.isEmpty)
        }
    }

    @Test("Without a proxy, and when the proxy cannot, the answer says so")
    func failures() async throws {
        try await RunningPage.with { page in
            let id = try await page.store.record(Recorded.exchange())
            #expect(try await post(page, "/api/v1/exchanges/\(id)/replay").status == 409)
        }
        try await RunningPage.with(control: ReplayRecorder(refusal: ReplayError("That would be ourselves."))) { page in
            let id = try await page.store.record(Recorded.exchange())
            let reply = try await post(page, "/api/v1/exchanges/\(id)/replay")
            #expect(reply.status == 502)
            #expect(try reply.json(as: [String: String].self) == ["error": "That would be ourselves."])
        }
    }
}
