import Foundation
import Support
import Testing
import Traffic

@testable import Web

@Suite("What changes is told as it happens", .timeLimit(.minutes(1)))
struct EventTests {
    /// Opens the events of a filter and reads the head of the answer.
    private func listen(_ page: RunningPage, _ query: String = "") async throws -> RawClient {
        let client = try await RawClient.connect(port: page.port)
        try await client.send(
            "GET /api/v1/events\(query) HTTP/1.1\r\nHost: 127.0.0.1:\(page.port)\r\nAuthorization: Bearer \(page.token)\r\n\r\n"
        )
        let head = try await client.read(through: "\r\n\r\n")
        #expect(head.contains("200 OK"))
        #expect(head.lowercased().contains("content-type: text/event-stream"))
        return client
    }

    /// The next event of a kind: its data.
    private func event(_ kind: String, _ client: RawClient) async throws -> [String: Any] {
        _ = try await client.read(through: "event: \(kind)\ndata: ")
        let data = try await client.read(through: "\n\n")
        return try #require(try JSONSerialization.jsonObject(with: Data(data.utf8)) as? [String: Any])
    }

    @Test("The first event is hello, and what is recorded after it comes as a row")
    func tellsRows() async throws {
        try await RunningPage.with { page in
            let client = try await listen(page)
            _ = try await event("hello", client)
            let id = try await page.store.record(Recorded.exchange(code: 500))
            let changes = try await event("changes", client)
            let rows = try #require(changes["exchanges"] as? [[String: Any]])
            #expect(rows.first?["id"] as? Int == Int(id))
            #expect(rows.first?["code"] as? Int == 500)
            #expect((changes["others"] as? [Int]) == [])
        }
    }

    @Test("With a filter, what it does not select comes as a number only")
    func filters() async throws {
        try await RunningPage.with { page in
            let client = try await listen(page, "?code=5xx")
            _ = try await event("hello", client)
            let id = try await page.store.record(Recorded.exchange(code: 200))
            let changes = try await event("changes", client)
            #expect((changes["exchanges"] as? [Any])?.isEmpty == true)
            #expect((changes["others"] as? [Int]) == [Int(id)])
        }
    }

    @Test("In silence a sign of life comes")
    func heartbeats() async throws {
        try await RunningPage.with(configure: { $0.heartbeat = .milliseconds(20) }) { page in
            let client = try await listen(page)
            _ = try await client.read(through: ": still here\n\n")
            _ = try await client.read(through: ": still here\n\n")
        }
    }

    @Test("A filter that cannot be read is refused before anything is sent")
    func refusesFilters() async throws {
        try await RunningPage.with { page in
            for query in ["code=banana", "limit=5"] {
                let reply = try await page.get("/api/v1/events?\(query)")
                #expect(reply.status == 400)
            }
        }
    }

    @Test("Many changes of one exchange are told once; too many exchanges become a resync")
    func bounds() {
        let pending = PendingChanges()
        var summary = Recorded.exchange().summary
        summary.id = 1
        pending.add(.changed([summary]))
        summary.code = 404
        pending.add(.changed([summary]))
        let once = pending.take()
        #expect(once.exchanges.map(\.code) == [404])
        #expect(pending.take().exchanges.isEmpty)
        pending.add(
            .changed(
                (0...PendingChanges.limit).map { index in
                    var summary = summary
                    summary.id = ExchangeID(index)
                    return summary
                }
            )
        )
        #expect(pending.take().needsResync)
        pending.add(.resync)
        pending.add(.changed([summary]))
        let resync = pending.take()
        #expect(resync.needsResync && resync.exchanges.isEmpty)
    }
}
