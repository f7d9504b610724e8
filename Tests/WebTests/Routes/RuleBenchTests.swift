import Dispatch
import Store
import Synchronization
import Testing
import Traffic
import Web

@Suite("Rules that do not hold, over the API", .timeLimit(.minutes(15)))
struct RuleBenchTests {
    private static let bench = RuleBench { id, form, _ in
        if form == .edit { throw RuleBench.Refusal("exchange \(id) has no answer") }
        return "rules: \"\(id)\"\n"
    } attempt: { trial, store in
        let count = try store.ids(trial.filter).count
        var json = JSONWriter()
        json.object { json in
            switch trial.tried {
            case .yaml(let text): json.string("yaml", text)
            case .rules(let rules): json.strings("names", rules.map { $0.isOff ? "\($0.name), off" : $0.name })
            }
            json.integer("of", count)
            json.integer("seconds", trial.time.components.seconds)
        }
        return json.take()
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

    @Test("A text, or rules that hold, are tried on what a filter selects, in a bounded time; nothing is switched")
    func tried() async throws {
        let rules = HeldRules([try HeldRules.block("a"), try HeldRules.block("b")])
        try rules.turn(["b"], isOff: true)
        try await RunningPage.with(control: ReplayRecorder(), rules: rules, bench: Self.bench) { page in
            for code in [200, 404] { try await page.store.record(Recorded.exchange(code: code)) }
            func told(_ body: String, _ query: String = "") async throws -> String {
                let reply = try await page.post("/api/v1/rules/try\(query)", body)
                return reply.status == 200 ? reply.text : "\(reply.status)"
            }
            #expect(try await told(#"{"yaml": "x"}"#) == #"{"yaml":"x","of":2,"seconds":5}"#)
            #expect(try await told(#"{"names": ["b"]}"#, "?code=404") == #"{"names":["b"],"of":1,"seconds":5}"#)
            #expect(rules.isOff == [false, true])
            #expect(try await told(#"{"names": ["c"]}"#) == "404")
            #expect(try await told(#"{"yaml": "x"}"#, "?code=x") == "400")
            for wrong in [
                "{}", #"{"names": []}"#, #"{"yaml": "x", "names": ["a"]}"#, "[]", #"{"yaml": "x", "nmaes": []}"#,
            ] {
                #expect(try await told(wrong) == "400", "\(wrong)")
            }
        }
    }

    @Test("A dry run is nothing that another site can ask for, or a browser with its cookie alone")
    func guarded() async throws {
        try await RunningPage.with(control: ReplayRecorder(), bench: Self.bench) { page in
            let token = ("Authorization", "Bearer \(page.token)")
            let json = ("Content-Type", "application/json")
            let cookie = try await page.cookie()
            let (own, foreign) = (("Origin", "http://127.0.0.1:\(page.port)"), ("Origin", "http://evil.test"))
            for (fields, status) in [
                ([token, json], 200), ([json], 403), ([json, own], 401), ([json, own, cookie], 401),
                ([json, own, cookie, try await page.visitor()], 200), ([token], 415),
                ([token, json, foreign], 403), ([json, cookie, foreign], 403),
            ] {
                let reply = try await page.ask("POST", "/api/v1/rules/try", fields: fields, body: #"{"yaml": "x"}"#)
                #expect(reply.status == status, "\(fields.map(\.0)): \(reply.status)")
            }
        }
    }

    @Test("One dry run at a time is under way, and other addresses answer meanwhile")
    func oneAtATime() async throws {
        let (entered, enter) = AsyncStream<Void>.makeStream()
        let leave = DispatchSemaphore(value: 0)
        let running = Mutex((now: 0, most: 0))
        let bench = RuleBench { _, _, _ in
            ""
        } attempt: { _, _ in
            let isFirst = running.withLock { running in
                running = (running.now + 1, max(running.most, running.now + 1))
                return running.most == 1
            }
            defer { running.withLock { $0.now -= 1 } }
            enter.yield()
            // One that is not alone shows that, and goes.
            if isFirst { leave.wait() }
            return Array("{}".utf8)
        }
        try await RunningPage.with(control: ReplayRecorder(), bench: bench) { page in
            try await withThrowingTaskGroup(of: Int.self) { group in
                func ask() { group.addTask { try await page.post("/api/v1/rules/try", #"{"yaml": "x"}"#).status } }
                ask()
                for await _ in entered { break }
                // One more than may wait: once that one is refused, all others wait.
                for _ in 0..<33 { ask() }
                let refused = try await group.next()
                #expect(refused == 503)
                for _ in 0..<5 {
                    let status = try await page.get("/api/v1/exchanges?limit=1").status
                    #expect(status == 200)
                }
                #expect(running.withLock { $0.now } == 1)
                for _ in 0..<33 { leave.signal() }
                for try await status in group { #expect(status == 200) }
            }
            #expect(running.withLock { $0.most } == 1)
        }
    }
}
