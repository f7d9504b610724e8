import Foundation
import Support
import Testing

/// Delivered implies recorded: what a client has seen the end of is in the store, however the proxy ended.
@Suite(.timeLimit(.minutes(15))) struct KillTests {
    private static let workers = 8
    private static let heldCount = 4

    @Test(
        "Killed under load, the store opens clean and holds every exchange whose end a client saw, with its body, and each that was pending"
    )
    func kill() async throws { try await Self.kill(3, each: 200) }

    /// Kills a proxy some times, each when its clients have seen the end of so many exchanges, and holds the store to what they saw.
    ///
    /// - Parameters:
    ///   - count: how many times.
    ///   - deliveredCount: the exchanges before each kill.
    /// - Throws: when a command fails or something does not come in time.
    static func kill(_ count: Int, each deliveredCount: Int) async throws {
        let witnessed = Watched(Set<String>())
        let origin = try await LoopbackOrigin.start { unanswered in
            // What is held is never answered.
            guard let request = RawRequest(first: unanswered), !request.target.hasPrefix("/held") else { return nil }
            let body = body(request.target)
            let answer = "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
            return .init(consuming: request.bytes.count, .send(Array(answer.utf8)))
        }
        let directory = try TemporaryDirectory()
        for round in 1...count {
            let inspect = try await RunningInspect.start(in: directory)
            var held: [RawClient] = []
            for number in 1...heldCount {
                held.append(try await RawClient.connect(port: inspect.port))
                try await held.last?.send(request("/held\(round)q\(number)", to: origin.port))
            }
            _ = try await inspect.listing(with: "the held exchanges as pending") { listing in
                listing.exchanges.count { $0.target.hasPrefix("/held\(round)q") && $0.outcome == "pending" }
                    == heldCount
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for worker in 0..<workers {
                    group.addTask { await load(inspect.port, origin.port, "/k\(round)w\(worker)", witnessed) }
                }
                _ = try await witnessed.wait(for: "\(deliveredCount) exchanges", within: .seconds(60)) { delivered in
                    delivered.count { $0.hasPrefix("/k\(round)w") } >= deliveredCount
                }
                _ = try await inspect.process.destroy()
                try await group.waitForAll()
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
        let delivered = witnessed.value
        #expect(delivered.count >= count * deliveredCount)
        #expect(delivered.filter { target in byTarget[target]?.map(\.outcome) != ["completed"] } == [])
        let held = (1...count).flatMap { round in (1...heldCount).map { "/held\(round)q\($0)" } }
        #expect(held.allSatisfy { byTarget[$0]?.map(\.outcome) == ["failed"] })
        #expect(Set(rows.map(\.id)) == Set(1...rows.count), "Numbers are gapless")
        #expect(rows.allSatisfy { $0.outcome != "pending" }, "What the kill broke off is closed at the next opening")
        #expect(rows.filter { $0.outcome == "failed" }.allSatisfy { $0.failure != nil })
        for target in delivered.sorted().enumerated().filter({ $0.offset % 60 == 0 }).map(\.element) {
            let id = try #require(byTarget[target]?.first?.id)
            #expect(try await again.body(id, "response") == Array(body(target).utf8))
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
    private static func load(_ proxy: Int, _ origin: Int, _ name: String, _ witnessed: Watched<Set<String>>) async {
        guard let client = try? await RawClient.connect(port: proxy) else { return }
        for number in 1... {
            let target = "\(name)q\(number)"
            guard (try? await client.send(request(target, to: origin))) != nil,
                (try? await client.read(through: body(target))) != nil
            else { return }
            witnessed.update { _ = $0.insert(target) }
        }
    }

    private static func request(_ target: String, to origin: Int) -> String {
        "GET http://127.0.0.1:\(origin)\(target) HTTP/1.1\r\nHost: 127.0.0.1:\(origin)\r\n\r\n"
    }

    private static func body(_ target: String) -> String { String(repeating: target, count: 40) + "." }
}
