import Foundation
import Store
import Support
import Testing
import Traffic

@testable import Web

@Suite("What changes is told as it happens", .timeLimit(.minutes(15)))
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
        #expect(head.lowercased().contains("connection: close"), "Nothing can follow it")
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

    @Test("What has left a window of time that counts back from now is no row any more when it changes")
    func ages() async throws {
        let now = Watched(Date(timeIntervalSince1970: Double(Recorded.start) / 1_000_000))
        try await RunningPage.with(configure: { $0.clock = TimeSource { now.value } }) { page in
            let client = try await listen(page, "?since=1s")
            _ = try await event("hello", client)
            let id = try await page.store.record(Recorded.exchange())
            let rows = try await event("changes", client)["exchanges"] as? [[String: Any]]
            #expect(rows?.first?["id"] as? Int == Int(id))
            now.update { $0 += 2 }
            var change = MarkChange()
            change.favourite = true
            try page.store.mark([id], change)
            #expect(try await event("changes", client)["others"] as? [Int] == [Int(id)])
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

    @Test("Many changes of one exchange are told once; too many exchanges, or too old a place, become a resync")
    func bounds() async throws {
        try await RunningPage.with { page in
            let log = ChangeLog(page.store)
            var summary = Recorded.exchange().summary
            summary.id = 1
            log.add(.changed([summary]))
            summary.code = 404
            log.add(.changed([summary]))
            let once = log.changes(after: 0)
            #expect(once.exchanges.map(\.code) == [404] && once.position == 2)
            #expect(log.changes(after: 2).exchanges.isEmpty && !log.changes(after: 2).needsResync)
            #expect(log.changes(after: 3).needsResync && log.changes(after: -1).needsResync)
            func many(_ count: Int) -> StoreChange {
                .changed(
                    (1...count).map { index in
                        var summary = summary
                        summary.id = ExchangeID(index)
                        return summary
                    }
                )
            }
            log.add(many(ChangeLog.eventLimit))
            #expect(log.changes(after: 2).exchanges.count == ChangeLog.eventLimit)
            log.add(many(ChangeLog.eventLimit + 1))
            #expect(log.changes(after: 1_002).needsResync && log.changes(after: 1_002).exchanges.isEmpty)
            let long = ChangeLog(page.store)
            for _ in 0..<5 { long.add(many(1_000)) }
            // Of 5,000 the last 3,072 are kept.
            #expect(long.changes(after: 1_927).needsResync && !long.changes(after: 1_928).needsResync)
            let before = log.changes(after: 0).position
            log.add(.resync)
            log.add(.changed([summary]))
            #expect(log.changes(after: before).needsResync)
            #expect(log.changes(after: before + 1).exchanges.map(\.id) == [1])
        }
    }

    @Test("Changes whose targets are long together are kept, and told in one event, as far as there is room")
    func longTargets() async throws {
        try await RunningPage.with { page in
            let log = ChangeLog(page.store)
            let target = "/" + String(repeating: "x", count: 1 << 20)
            for id in 1...20 {
                var summary = Recorded.exchange(target: target).summary
                summary.id = ExchangeID(id)
                log.add(.changed([summary]))
            }
            #expect(log.changes(after: 10).needsResync)
            let last = log.changes(after: 18)
            #expect(last.exchanges.map(\.id) == [19, 20] && !last.needsResync && last.position == 20)
            // They are kept, and too much for one event.
            let more = log.changes(after: 16)
            #expect(more.needsResync && more.exchanges.isEmpty)
        }
    }

    /// The `id` of the next event of a kind.
    private func id(of kind: String, _ client: RawClient) async throws -> String {
        let text = try await client.read(through: "event: \(kind)\n")
        return try #require(text.components(separatedBy: "id: ").last?.components(separatedBy: "\n").first)
    }

    @Test("Who connects again and names the last event gets exactly what it missed", arguments: [true, false])
    func resumes(isField: Bool) async throws {
        try await RunningPage.with { page in
            let first = try await listen(page)
            _ = try await event("hello", first)
            let seen = try await page.store.record(Recorded.exchange(code: 200))
            let last = try await id(of: "changes", first)
            _ = try await first.read(through: "\n\n")
            try await first.close()
            let missed = [
                try await page.store.record(Recorded.exchange(code: 404)),
                try await page.store.record(Recorded.exchange(code: 500)),
            ]
            let again = try await RawClient.connect(port: page.port)
            let field = isField ? "Last-Event-ID: \(last)\r\n" : ""
            try await again.send(
                "GET /api/v1/events\(isField ? "" : "?lastEventId=\(last)") HTTP/1.1\r\nHost: 127.0.0.1:\(page.port)\r\n"
                    + "Authorization: Bearer \(page.token)\r\n\(field)\r\n"
            )
            #expect(try await event("hello", again)["resumed"] as? Bool == true)
            var ids: [Int] = []
            while ids.count < missed.count {
                let rows = try #require(try await event("changes", again)["exchanges"] as? [[String: Any]])
                ids += rows.compactMap { $0["id"] as? Int }
            }
            #expect(ids == missed.map(Int.init) && !ids.contains(Int(seen)))
        }
    }

    @Test("A place that is not known becomes a resync", arguments: ["0-0", "x", "ffffffffff-12", ""])
    func unknownPlace(last: String) async throws {
        try await RunningPage.with { page in
            let client = try await listen(page, "?lastEventId=\(last)")
            // Who got no more than this asks for the same place again.
            #expect(try await !client.read(through: "event: hello\n").contains("id: "))
            #expect(try await client.read(through: "\n\n").contains("{\"resumed\":false}"))
            _ = try await event("resync", client)
            let id = try await page.store.record(Recorded.exchange())
            let rows = try await event("changes", client)["exchanges"] as? [[String: Any]]
            #expect(rows?.first?["id"] as? Int == Int(id))
        }
    }
}
