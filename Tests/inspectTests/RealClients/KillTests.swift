import Foundation
import Support
import Testing

/// Delivered implies recorded: what a client has seen the end of is in the store, however the proxy ended.
@Suite struct KillTests {
    /// What the clients and the origin know, to be held against the store.
    struct Witnessed: Sendable {
        /// When the origin had read each request, by target.
        var seen: [String: ContinuousClock.Instant] = [:]
        /// The targets whose response a client read to its end.
        var delivered: Set<String> = []
    }

    private static let workers = 8

    @Test(
        "Killed three times under load, the store opens clean and holds every exchange whose end a client saw, with its body"
    )
    func kill() async throws {
        let witnessed = Watched(Witnessed())
        let origin = try await LoopbackOrigin.start(
            script: RawRequest.answering { request in
                witnessed.update { $0.seen[request.target] = .now }
                let body = Self.body(request.target)
                return Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
            }
        )
        let directory = try TemporaryDirectory()
        var mustBeThere: Set<String> = []
        for round in 1...3 {
            let inspect = try await RunningInspect.start(in: directory)
            let wanted = witnessed.value.delivered.count + 300 * round
            try await withThrowingTaskGroup(of: Void.self) { group in
                for worker in 0..<Self.workers {
                    group.addTask { await Self.load(inspect.port, origin.port, "/k\(round)w\(worker)", witnessed) }
                }
                _ = try await witnessed.wait(for: "\(wanted) exchanges", within: .seconds(60)) {
                    $0.delivered.count >= wanted
                }
                let killed = ContinuousClock.now
                _ = try await inspect.process.destroy()
                try await group.waitForAll()
                let early = witnessed.value.seen.filter {
                    $0.key.hasPrefix("/k\(round)w") && $0.value < killed - .milliseconds(100)
                }
                mustBeThere.formUnion(early.keys)
            }
        }

        let again = try await RunningInspect.start(in: directory)
        let listed = try await RunningInspect.run(
            ["ls", "--store", RunningInspect.store(directory), "--jsonl", "--limit", "1000000"],
            in: directory
        )
        let rows = try listed.output.split(separator: "\n").map {
            try JSONDecoder().decode(StoredListing.Row.self, from: Data($0.utf8))
        }
        let byTarget = Dictionary(grouping: rows, by: \.target)
        let delivered = witnessed.value.delivered
        #expect(delivered.count >= 1800 && mustBeThere.count > 900)
        #expect(delivered.filter { target in byTarget[target]?.map(\.outcome) != ["completed"] } == [])
        #expect(mustBeThere.filter { byTarget[$0] == nil } == [])
        #expect(Set(rows.map(\.id)) == Set(1...rows.count), "Numbers are gapless")
        #expect(rows.allSatisfy { $0.outcome != "pending" }, "What the kill broke off is closed at the next opening")
        #expect(rows.filter { $0.outcome == "failed" }.allSatisfy { $0.failure != nil })
        for target in delivered.sorted().enumerated().filter({ $0.offset % 60 == 0 }).map(\.element) {
            let id = try #require(byTarget[target]?.first?.id)
            #expect(try await again.body(id, "response") == Array(Self.body(target).utf8))
        }
        #expect(try await again.process.stop().status == 0)
        let check =
            "import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute('pragma integrity_check').fetchone()[0])"
        let checked = try await CommandLineTool.run("python3", ["-c", check, RunningInspect.store(directory)])
        #expect(checked.output == "ok\n", "\(checked.errors)")
        let health = try await RunningInspect.run(["store", "--store", RunningInspect.store(directory)], in: directory)
        #expect(health.status == 0, "\(health.output)\(health.errors)")
    }

    /// One client that asks again and again on a connection that stays open, until the proxy is gone.
    private static func load(_ proxy: Int, _ origin: Int, _ name: String, _ witnessed: Watched<Witnessed>) async {
        guard let client = try? await RawClient.connect(port: proxy) else { return }
        for number in 1... {
            let target = "\(name)q\(number)"
            let request = "GET http://127.0.0.1:\(origin)\(target) HTTP/1.1\r\nHost: 127.0.0.1:\(origin)\r\n\r\n"
            let body = body(target)
            guard (try? await client.send(request)) != nil, (try? await client.read(through: body)) != nil else {
                return
            }
            witnessed.update { _ = $0.delivered.insert(target) }
        }
    }

    private static func body(_ target: String) -> String { String(repeating: target, count: 40) + "." }
}
