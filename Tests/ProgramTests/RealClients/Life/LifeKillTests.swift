import Foundation
import Support
import Testing

/// Killed while it deletes, compacts or brings a store up to date: the store opens clean, and holds what it must.
@Suite(.timeLimit(.minutes(15))) struct LifeKillTests {
    /// What a command does to a store, half of whose exchanges are under `/old`.
    enum Work: String, CaseIterable {
        case clear, compact, migration

        var arguments: [String] {
            self == .clear ? ["clear", "path:/old", "--yes"] : ["store", "compact"]
        }
    }

    private static func ask(_ path: String, _ sql: String) async throws -> String {
        let script = """
            import sqlite3, sys
            c = sqlite3.connect(sys.argv[1])
            for statement in sys.argv[2].split(';'):
                rows = c.execute(statement).fetchall()
            c.commit(); print(rows[0][0] if rows else '')
            """
        let ran = try await CommandLineTool.run("python3", ["-c", script, path, sql])
        guard ran.status == 0 else { throw Unexpected("\(sql): \(ran.errors)") }
        return ran.output.trimmingCharacters(in: .newlines)
    }

    /// A store as `work` finds it.
    private static func template(_ work: Work, _ count: Int) async throws -> ClosedStore {
        let store = try ClosedStore()
        let samples = (1...count).map { number in
            // Every body is that of two exchanges, one of which goes and one stays.
            let body =
                Array("body \(number / 2) ".utf8)
                + [UInt8](repeating: UInt8(97 + number / 2 % 26), count: 1000)
            return Sample(
                UInt64(number),
                "GET",
                number % 2 == 0 ? "/old/\(number)" : "/new/\(number)",
                responseBody: body
            )
        }
        try await store.fill(samples)
        if work == .compact { _ = try await store.inspect(["clear", "path:/old", "--yes"]) }
        if work == .migration {
            try await makeOld(store.path)
        }
        return store
    }

    /// Makes a store of version 2 of one of today: the rows are put into that version's tables.
    private static func makeOld(_ path: String) async throws {
        let tables = Readme.root.appending(path: "Tests/StoreTests/File/Versions/version-2.sql").path
        let script = """
            import os, sqlite3, sys
            (path, tables) = sys.argv[1:]
            old = sqlite3.connect(path + '.old')
            old.executescript(open(tables).read())
            old.execute('ATTACH ? AS today', [path])
            for (table,) in old.execute("SELECT name FROM main.sqlite_master WHERE type = 'table'").fetchall():
                columns = ', '.join(row[1] for row in old.execute(f'PRAGMA main.table_info({table})'))
                old.execute(f'DELETE FROM main.{table}')
                old.execute(f'INSERT INTO main.{table} ({columns}) SELECT {columns} FROM today.{table}')
            old.commit()
            old.execute('PRAGMA main.journal_mode = WAL').fetchall()
            old.close()
            os.rename(path + '.old', path)
            """
        let ran = try await CommandLineTool.run("python3", ["-c", script, path, tables])
        guard ran.status == 0 else { throw Unexpected(ran.errors) }
    }

    @Test("While it deletes, compacts or brings a store up to date", arguments: Work.allCases)
    func killed(work: Work) async throws { try await Self.killed(work, kills: 2, exchanges: 1_000) }

    /// Kills a command some times, evenly over its writes, each in the middle of one, and does it again on what is left.
    ///
    /// - Parameters:
    ///   - work: the command.
    ///   - kills: how many times.
    ///   - count: how many exchanges there are, an even number.
    /// - Throws: when a command cannot be run.
    static func killed(_ work: Work, kills: Int, exchanges count: Int) async throws {
        let template = try await template(work, count)
        let program = try Executable.inspect()
        let writes = try await FaultyWrites.build()
        func copy() throws -> ClosedStore {
            let copy = try ClosedStore()
            try FileManager.default.copyItem(atPath: template.path, toPath: copy.path)
            return copy
        }
        func arguments(_ store: ClosedStore) -> [String] { work.arguments + ["--store", store.path] }
        let whole = try copy()
        let writeCount = try await writes.count(program, arguments(whole), writingTo: whole.path)
        try #require(writeCount > kills)
        for round in 1...kills {
            let copy = try copy()
            let place = writeCount * round / (kills + 1)
            let killed = try await writes.kill(program, arguments(copy), writingTo: copy.path, after: place)
            #expect(killed.status == 128 + SIGKILL, "after \(place) of \(writeCount) writes: \(killed.errors)")

            if work == .migration, try await ask(copy.path, "PRAGMA user_version") == "2" {
                // The old one is whole: its inspect can go on with it.
                #expect(try await ask(copy.path, "PRAGMA integrity_check") == "ok")
                #expect(try await ask(copy.path, "SELECT count(*) FROM exchange") == "\(count)")
                #expect(try await copy.inspect(["store"]).errors.contains("inspect store compact"))
            } else {
                let health = try await copy.inspect(["store"])
                #expect(health.status == 0, "\(health.output)\(health.errors)")
            }
            #expect(try await copy.inspect(work.arguments).status == 0)
            let health = try await copy.inspect(["store", "--json"])
            #expect(health.status == 0, "\(health.output)\(health.errors)")
            let report = try #require(
                try JSONSerialization.jsonObject(with: Data(health.outputBytes)) as? [String: Any]
            )
            #expect(report["exchanges"] as? Int == (work == .migration ? count : count / 2))
            let old = try await copy.inspect(["ls", "path:/old", "--json"]).output
            #expect(old.contains("\"matched\":\(work == .migration ? count / 2 : 0),"))
            let kept = count / 3 | 1
            let body = try await copy.inspect(["show", "\(kept)", "--body", "response"]).output
            #expect(body.hasPrefix("body \(kept / 2) ") && body.utf8.count == "body \(kept / 2) ".utf8.count + 1000)
        }
    }

    @Test("While it records and lets go of the oldest: what is left is what came last, each with its body")
    func retention() async throws { try await Self.retention(kills: 2) }

    /// Kills a proxy some times that keeps a hundred exchanges, under load, and holds its store to what the clients saw.
    ///
    /// - Throws: when a command fails or something does not come in time.
    static func retention(kills: Int) async throws {
        let origin = try await LoopbackOrigin.start(
            script: RawRequest.answering { request in
                let body = body(request.target)
                return Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
            }
        )
        let directory = try TemporaryDirectory()
        let delivered = Watched([String: Int]())
        for round in 1...kills {
            let inspect = try await RunningInspect.start(in: directory, ["--keep-count", "100"])
            let before = delivered.value.values.reduce(0, +)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for worker in 0..<workers {
                    group.addTask { await load(inspect.port, origin.port, "/r\(round)w\(worker)", delivered) }
                }
                _ = try await delivered.wait(for: "400 exchanges", within: .seconds(60)) {
                    $0.values.reduce(0, +) >= before + 400
                }
                _ = try await inspect.process.destroy()
                try await group.waitForAll()
            }
            let health = try await RunningInspect.run(
                ["store", "--store", RunningInspect.store(directory)],
                in: directory
            )
            #expect(health.status == 0, "\(health.output)\(health.errors)")
            let listing = try await StoredListing.read(in: directory, ["--limit", "100000"])
            let there = Set(listing.exchanges.filter { $0.outcome == "completed" }.map(\.target))
            // Of the hundred that stay, each client may have had one under way.
            #expect(listing.exchanges.count >= 100 && there.count >= 100 - workers)
            for (worker, count) in delivered.value {
                // Of each client's exchanges some of the first may be gone, and none that came after one that is there.
                let numbers = (1...count).map { there.contains("\(worker)q\($0)") }
                let first = numbers.firstIndex(of: true) ?? numbers.count
                #expect(!numbers[first...].contains(false), "\(worker)")
            }
            let newest = try #require(listing.exchanges.first { $0.outcome == "completed" })
            let shown = try await RunningInspect.run(
                ["show", "\(newest.id)", "--store", RunningInspect.store(directory), "--body", "response", "--raw"],
                in: directory
            )
            #expect(shown.output == body(newest.target))
        }
    }

    private static let workers = 4

    private static func body(_ target: String) -> String { String(repeating: target, count: 40) + "." }

    /// One client that asks again and again until the proxy is gone, and counts what it has seen the end of.
    private static func load(_ proxy: Int, _ origin: Int, _ name: String, _ delivered: Watched<[String: Int]>) async {
        guard let client = try? await RawClient.connect(port: proxy) else { return }
        for number in 1... {
            let target = "\(name)q\(number)"
            let request = "GET http://127.0.0.1:\(origin)\(target) HTTP/1.1\r\nHost: 127.0.0.1:\(origin)\r\n\r\n"
            guard (try? await client.send(request)) != nil, (try? await client.read(through: body(target))) != nil
            else {
                return
            }
            delivered.update { $0[name] = number }
        }
    }
}
