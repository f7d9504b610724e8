import Foundation
import Support
import Testing

/// Marks, saved searches, deletion and health from the command line, on a store that no proxy writes.
@Suite(.timeLimit(.minutes(15))) struct LifeCommandTests {
    /// A closed store with five exchanges: 200, 200, 404, 500, failed.
    private func store() async throws -> ClosedStore {
        let store = try ClosedStore()
        try await store.fill([
            Sample(1, "GET", "/a"), Sample(2, "GET", "/b"), Sample(3, "GET", "/c", code: 404),
            Sample(4, "POST", "/d", code: 500, responseBody: Array("a body of its own".utf8)),
            Sample(5, "GET", "/e").failed(),
        ])
        return store
    }

    private func ids(_ store: ClosedStore, _ query: String...) async throws -> [Int] {
        let listed = try await store.inspect(["ls", "--jsonl"] + query)
        #expect(listed.status == 0, "\(listed.errors)")
        return try listed.output.split(separator: "\n").map { line in
            let row = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return try #require(row?["id"] as? Int)
        }
    }

    @Test("Tags, notes and favourites are set by number and by query, found, shown, exported and taken away")
    func marks() async throws {
        let store = try await store()
        #expect(
            try await store.inspect(["mark", "tag", "1", "3..4", "Slow", "v2.1"]).output
                == "3 exchanges tagged slow, v2.1.\n"
        )
        #expect(
            try await store.inspect(["mark", "tag", "--query", "code:5xx,failed", "bad"]).output
                == "2 exchanges tagged bad.\n"
        )
        #expect(try await store.inspect(["mark", "note", "4", "sent", "twice"]).status == 0)
        #expect(try await store.inspect(["mark", "favourite", "4", "5"]).output == "2 exchanges marked.\n")
        #expect(try await ids(store, "tag:slow") == [4, 3, 1])
        #expect(try await ids(store, "--tag", "bad,none") == [5, 4, 2])
        #expect(try await ids(store, "note:\"sent twice\" is:favourite") == [4])
        let shown = try await store.inspect(["show", "4"]).output
        #expect(shown.contains("Tags      bad, slow, v2.1") && shown.contains("Note      sent twice"))
        #expect(shown.contains("Favourite yes"))
        let table = try await store.inspect(["filter", "--tag", "slow"]).output
        #expect(table.contains("Tag") && table.contains("slow (3)*") && table.contains("bad (2)"), "\(table)")
        #expect(table.contains("/d  ★ #bad #slow #v2.1"))
        let har = try await store.inspect(["export", "--format", "har", "tag:bad code:500"]).output
        #expect(har.contains("\"comment\":\"sent twice\"") && har.contains("\"_tags\":[\"bad\",\"slow\",\"v2.1\"]"))
        #expect(
            try await store.inspect(["mark", "tag", "4", "bad", "--remove"]).output == "bad taken from 1 exchange.\n"
        )
        #expect(try await store.inspect(["mark", "note", "4", "--remove"]).status == 0)
        #expect(try await store.inspect(["mark", "favourite", "code:failed", "--remove"]).status == 0)
        #expect(try await ids(store, "is:favourite") == [4])
        #expect(try await ids(store, "tag:bad") == [5])
        #expect(try await ids(store, "note:sent") == [])
    }

    @Test("A note that begins as a negated term does is kept as it was written, and a tag is refused as it was")
    func dashes() async throws {
        let store = try await store()
        #expect(try await store.inspect(["mark", "note", "3", "-retry:", "too early"]).status == 0)
        #expect(try await store.inspect(["export", "id:3"]).output.contains("\"comment\":\"-retry: too early\""))
        let tagged = try await store.inspect(["mark", "tag", "3", "-no:cache"])
        #expect(tagged.status != 0 && tagged.errors.contains("\"-no:cache\" cannot be a tag"), "\(tagged.errors)")
    }

    @Test("A saved search stands for its query wherever one is taken, and completes")
    func saved() async throws {
        let store = try await store()
        let added = try await store.inspect(["saved", "Broken", "code:5xx or outcome:failed"])
        #expect(added.output == "@broken stands for code:5xx or outcome:failed\n")
        #expect(try await ids(store, "@broken") == [5, 4])
        #expect(try await ids(store, "-@broken code:200") == [2, 1])
        #expect(try await store.inspect(["saved", "posts", "@broken method:post"]).status == 0)
        #expect(try await ids(store, "@posts") == [4])
        #expect(try await store.inspect(["complete", "@br"]).output == "@broken\n")
        #expect(try await store.inspect(["mark", "tag", "--query", "@posts", "x"]).output == "1 exchange tagged x.\n")
        let list = try await store.inspect(["saved"]).output
        #expect(list == "@broken  code:5xx or outcome:failed\n@posts  (code:5xx or outcome:failed) method:post\n")
        #expect(try await store.inspect(["saved", "broken", "--remove"]).status == 0)
        let unknown = try await store.inspect(["ls", "@broken"])
        #expect(unknown.status == 2 && unknown.errors.contains("no saved search @broken; 'inspect saved' lists them"))
        #expect(try await store.inspect(["saved", "--remove", "broken"]).status == 2)
        #expect(try await store.inspect(["saved", "bad", "codes:4"]).status == 2)
    }

    @Test("A former spelling works, and a line on standard error says the new one")
    func formerSpelling() async throws {
        let store = try await store()
        let added = try await store.inspect(["saved", "add", "broken", "code:5xx"])
        #expect(added.status == 0 && added.output == "@broken stands for code:5xx\n")
        #expect(added.errors == "inspect: 'inspect saved add' is now 'inspect saved'\n")
        let removed = try await store.inspect(["saved", "remove", "broken"])
        #expect(removed.status == 0 && removed.output.isEmpty)
        #expect(removed.errors == "inspect: 'inspect saved remove' is now 'inspect saved --remove'\n")
        #expect(try await store.inspect(["saved"]).output.isEmpty)
    }

    @Test("Clearing asks for --yes without a terminal, deletes what is selected, and compacting leaves nothing of it")
    func clear() async throws {
        let store = try await store()
        let asked = try await store.inspect(["clear", "code:500"])
        #expect(
            asked.status == 2 && asked.errors.contains("1 exchange (exchanges where the code is 500)")
                && asked.errors.contains("--yes")
        )
        #expect(try await store.inspect(["clear", "code:500", "--yes"]).output == "Deleted 1 exchange.\n")
        #expect(try await ids(store) == [5, 3, 2, 1])
        let compacted = try await store.inspect(["store", "compact"])
        #expect(compacted.status == 0 && compacted.output.contains(" before, "), "\(compacted.errors)")
        #expect(try Data(contentsOf: URL(filePath: store.path)).range(of: Data("a body of its own".utf8)) == nil)
        #expect(try await store.inspect(["clear", "-y"]).output == "Deleted 4 exchanges.\n")
        #expect(try await store.inspect(["clear", "--yes"]).output == "Nothing to delete: no exchange matches.\n")
    }

    @Test("On a terminal clear asks, and anything but yes deletes nothing", arguments: [("n", 5), ("", 5), ("y", 0)])
    func asks(answer: String, left: Int) async throws {
        let store = try await store()
        let script = "import pty, sys, os; os.environ['TERM'] = 'dumb'; pty.spawn(sys.argv[1:])"
        let asked = try await CommandLineTool.run(
            "python3",
            ["-c", script, try Executable.inspect(), "clear", "--store", store.path],
            input: Array("\(answer)\n".utf8)
        )
        #expect(asked.output.contains("Delete 5 exchanges (every exchange)? [y/N]"), "\(asked.output)\(asked.errors)")
        #expect(try await ids(store).count == left)
    }

    @Test("Store tells sizes, rows and soundness; damage is exit status 1 and named")
    func health() async throws {
        let store = try await store()
        let sound = try await store.inspect(["store", "--json"])
        let report = try #require(try JSONSerialization.jsonObject(with: Data(sound.outputBytes)) as? [String: Any])
        #expect(sound.status == 0 && report["exchanges"] as? Int == 5 && report["indexLag"] as? Int == 0)
        #expect(report["outcomes"] as? [String: Int] == ["completed": 4, "failed": 1])
        #expect((report["check"] as? [String: Any])?["sound"] as? Bool == true)
        let lines = try await store.inspect(["store"]).output
        #expect(lines.contains("Exchanges  5: 4 completed, 1 failed") && lines.contains("Damage     none"), "\(lines)")
        #expect(try await store.inspect(["store", "--quick"]).output.contains("not looked for"))
        let script = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute(sys.argv[2]); c.commit()"
        let change = "UPDATE exchange SET code = 404 WHERE id = 1"
        #expect(try await CommandLineTool.run("python3", ["-c", script, store.path, change]).status == 0)
        let damaged = try await store.inspect(["store"])
        #expect(damaged.status == 1 && damaged.output.contains("block 0"), "\(damaged.output)")
        #expect(try await UnreadOutput.run(["store", "--store", store.path]).output == "1\n")
        #expect(try await store.inspect(["store", "--quick"]).status == 0)
    }

    @Test("Compacting without room is one line, and the store is as it was")
    func noRoom() async throws {
        let store = try ClosedStore()
        try await store.fill(
            (1...40).map {
                Sample(UInt64($0), "GET", "/\($0)", responseBody: Array(repeating: UInt8($0), count: 100_000))
            }
        )
        // A bound on the size of files stands for a full disk.
        let limited = try await CommandLineTool.run(
            "bash",
            [
                "-c", "trap '' XFSZ; ulimit -f 2000; exec \"$0\" store compact --store \"$1\"",
                try Executable.inspect(),
                store.path,
            ]
        )
        #expect(limited.status == 2 && limited.errors.split(separator: "\n").count == 1, "\(limited.errors)")
        let after = try await store.inspect(["store"])
        #expect(after.status == 0 && after.output.contains("40 completed"), "\(after.output)")
    }
}
