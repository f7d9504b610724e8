import Foundation
import NIOCore
import Testing
import Traffic

@testable import Web

@Suite("A replay is asked of the proxy, with the record as it is", .timeLimit(.minutes(15)))
struct ReplayTests {
    private func post(_ page: RunningPage, _ target: String, _ body: String = "{}") async throws -> Reply {
        try await page.ask(
            "POST",
            target,
            fields: [("Authorization", "Bearer \(page.token)"), ("Content-Type", "application/json")],
            body: body
        )
    }

    /// The lines of a reply about many.
    private func lines(_ reply: Reply) throws -> [ReplayLine] {
        try reply.body.split(separator: UInt8(ascii: "\n")).map {
            try JSONDecoder().decode(ReplayLine.self, from: Data($0))
        }
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
            #expect(try reply.json(as: Replayed.self) == Replayed(id: 4_711, heldBack: [], notes: []))
            #expect(control.asked.count == 1)
            #expect(control.asked.first?.original.id == id)
            #expect(control.asked.first?.body == body)
        }
    }

    private struct Replayed: Decodable, Equatable {
        var id: Int
        var heldBack: [String]
        var notes: [String]
    }

    @Test("Edits are made before it is sent, credentials are held back from another host, and both are said")
    func edits() async throws {
        let control = ReplayRecorder()
        try await RunningPage.with(control: control) { page in
            var exchange = Recorded.exchange()
            let head = "GET /v2/facilities/?format=json HTTP/1.1\r\nHost: api.example.test\r\nCookie: a=1\r\n\r\n"
            exchange.request.head = ByteBuffer(string: head)
            let id = try await page.store.record(exchange)
            let edits = #"{"to":"http://127.0.0.1:8081","headers":[{"name":"X","value":"1"}],"body":"new"}"#
            let reply = try await post(page, "/api/v1/exchanges/\(id)/replay", edits)
            let said = try reply.json(as: Replayed.self)
            #expect(said.heldBack == ["field Cookie"] && said.notes.count == 1)
            let sent = try #require(control.asked.first)
            #expect(sent.original.id == id && sent.original.port == 8081 && sent.body == Array("new".utf8))
            #expect(
                String(buffer: sent.original.request.head)
                    == "GET /v2/facilities/?format=json HTTP/1.1\r\nHost: 127.0.0.1:8081\r\nX: 1\r\nContent-Length: 3\r\n\r\n"
            )
            for wrong in [#"{"too":"http://a"}"#, "[]", #"{"body":1}"#] {
                #expect(try await post(page, "/api/v1/exchanges/\(id)/replay", wrong).status == 400, "\(wrong)")
            }
            #expect(try await post(page, "/api/v1/exchanges/\(id)/replay", #"{"to":"nowhere"}"#).status == 400)
        }
    }

    @Test(
        "What would send a credential of its path or body elsewhere is refused, and the answer says what lets it be sent"
    )
    func waysOut() async throws {
        struct Refused: Decodable {
            var error: String
            var wayOut: ReplayError.WayOut?
        }
        try await RunningPage.with(control: ReplayRecorder()) { page in
            var exchange = Recorded.exchange(target: "/in;jsessionid=0123456789abcdef/x")
            exchange.request.head = ByteBuffer(
                string: "GET \(exchange.target) HTTP/1.1\r\nHost: api.example.test\r\n\r\n"
            )
            let id = try await page.store.record(exchange)
            let edits = #"{"to":"https://b.test"}"#
            let one = try await post(page, "/api/v1/exchanges/\(id)/replay", edits)
            let refused = try one.json(as: Refused.self)
            #expect(one.status == 400 && refused.wayOut == .path && !refused.error.contains("--"))
            let many = try lines(await post(page, "/api/v1/replay", "{\"ids\":[\(id)],\"edits\":\(edits)}"))
            #expect(many.first?.replay?.wayOut == .path && many.first?.replay?.error == refused.error)
            let other = try await post(page, "/api/v1/exchanges/\(id)/replay", #"{"to":"nowhere"}"#)
            #expect(try other.json(as: Refused.self).wayOut == nil)
            let named = #"{"to":"https://me:secret@b.test"}"#
            let alone = try await post(page, "/api/v1/exchanges/\(id)/replay", named)
            let among = try await post(page, "/api/v1/replay", "{\"ids\":[\(id)],\"edits\":\(named)}")
            #expect(alone.status == 400 && among.status == 400)
            let answers = try [alone, among].map { try $0.json(as: Refused.self) }
            #expect(answers.map(\.wayOut) == [.authorization, .authorization])
            #expect(answers[0].error == answers[1].error)
        }
    }

    @Test("Many are sent in their order, as often as asked, each with a line, and the counts at the end")
    func many() async throws {
        let control = ReplayRecorder()
        try await RunningPage.with(control: control) { page in
            let first = try await page.store.record(Recorded.exchange(target: "/one"))
            var replayed = Recorded.exchange(target: "/two")
            replayed.replayOf = first
            try await page.store.record(replayed)
            let third = try await page.store.record(Recorded.exchange(target: "/three"))
            let all = try lines(await post(page, "/api/v1/replay", #"{"q":"path:/t or path:/o","times":2}"#))
            #expect(control.asked.map(\.original.id) == [first, third, first, third])
            #expect(all.count == 7 && all.compactMap(\.replay?.id) == [4_711, 4_711, 4_711, 4_711])
            #expect(all.compactMap(\.replay?.leftOut) == ["it is itself a replay", "it is itself a replay"])
            #expect(all.last?.summary?.sent == 4 && all.last?.summary?.leftOut == 2)
            let chosen = try lines(await post(page, "/api/v1/replay", #"{"ids":[3,2],"parallel":8,"rate":1000}"#))
            #expect(Set(chosen.compactMap(\.replay?.original)) == [2, 3])
            let named = try lines(await post(page, "/api/v1/replay", #"{"q":"3 1..2"}"#))
            #expect(named.compactMap(\.replay?.original) == [3, 1, 2])
            #expect(named.compactMap(\.replay?.leftOut).isEmpty)
        }
    }

    @Test(
        "What says nothing, too much or what is not there is refused in a sentence",
        arguments: [
            ("", 400), ("{}", 400), (#"{"ids":[]}"#, 400), (#"{"ids":[1],"q":"x"}"#, 400), (#"{"ids":[99]}"#, 404),
            (#"{"q":"cod:1"}"#, 400), (#"{"q":"99"}"#, 404), (#"{"q":"2..1"}"#, 400),
            (#"{"ids":[1],"parallel":1000}"#, 400), (#"{"ids":[1],"parllel":2}"#, 400),
            (#"{"ids":[1],"edits":{"to":"x.test"}}"#, 400), (#"{"ids":[1],"edits":{"method":"GE T"}}"#, 400),
        ]
    )
    func wrongPlans(body: String, status: Int) async throws {
        try await RunningPage.with(control: ReplayRecorder()) { page in
            try await page.store.record(Recorded.exchange())
            #expect(try await post(page, "/api/v1/replay", body).status == status)
        }
    }

    @Test(
        "Bodies under way at once are bounded together, one that alone is longer is sent alone",
        arguments: [1, 10, 1_000]
    )
    func bodiesUnderWay(limitBytes: Int64) async throws {
        try await RunningPage.with { page in
            for _ in 0..<6 {
                var exchange = Recorded.exchange(method: "POST")
                exchange.request.body = Body(length: 6, kept: 6, sha256: Array(repeating: 1, count: 32))
                try await page.store.record(exchange, request: Array("a body".utf8))
            }
            var plan = ReplayPlan()
            plan.parallel = 4
            let control = CrowdedProxy(waitsFor: limitBytes > 12 ? 2 : 1)
            let job = ReplayJob(store: StoreDoor(page.store), control: control, bodiesLimitBytes: limitBytes)
            var sent = 0
            try await job.run(plan, Array(1...6)) { sent += $0.summary?.sent ?? 0 }
            #expect(sent == 6)
            #expect((control.most == 1) == (limitBytes < 12), "\(control.most)")
        }
    }

    @Test("Of what a query selects, tunnels and the like are left out; of what was named, each has its reason")
    func leavesOut() async throws {
        let control = ReplayRecorder()
        try await RunningPage.with(control: control) { page in
            var tunnel = Recorded.exchange()
            (tunnel.scheme, tunnel.outcome, tunnel.code, tunnel.response) = (nil, .tunnelled, nil, nil)
            let id = try await page.store.record(tunnel)
            let selected = try lines(await post(page, "/api/v1/replay", #"{"q":"code:tunnelled"}"#))
            #expect(selected.first?.replay?.leftOut == "it is a tunnel" && selected.last?.summary?.leftOut == 1)
            let named = try lines(await post(page, "/api/v1/replay", "{\"ids\":[\(id)]}"))
            #expect(named.first?.replay?.error?.contains("it is a tunnel") == true)
            #expect(named.last?.summary?.failed == 1 && control.asked.isEmpty)
        }
    }

    @Test("What cannot be sent of many has its reason, and the others go on")
    func failuresOfMany() async throws {
        try await RunningPage.with(control: ReplayRecorder(refusal: ReplayError("That would be ourselves."))) { page in
            for _ in 0..<3 { try await page.store.record(Recorded.exchange()) }
            let all = try lines(await post(page, "/api/v1/replay", #"{"q":"method:GET","parallel":2}"#))
            #expect(all.compactMap(\.replay?.error) == Array(repeating: "That would be ourselves.", count: 3))
            #expect(all.last?.summary?.failed == 3)
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
            #expect(try await page.get("/api/v1/exchanges/\(id)/replay").status == 405)
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
