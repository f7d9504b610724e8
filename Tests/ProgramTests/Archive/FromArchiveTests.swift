import Foundation
import Lenses
import Support
import Testing

/// `--from`: an archive is read in place of the store.
@Suite(.timeLimit(.minutes(15))) struct FromArchiveTests {
    @Test("Every command that only reads exchanges says the same of an export as of the store it came from")
    func saysTheSame() async throws {
        let store = try CapturedStore(classifier: LensSet.standard)
        let archive = store.file("all.json")
        try await store.record(Sample(1, "GET", "/first", responseBody: Array("a needle in it".utf8)))
        try await store.record(Sample(2, "POST", "/second", code: 404))
        try await store.record(Sample(3, "GET", "/third").failed())
        let exported = try await store.inspect("export", "--format", "json", "--all", "-o", archive)
        #expect(exported.status == 0, "\(exported.errors)")
        let commands = [
            ["ls"], ["ls", "--jsonl", "code:404"], ["filter", "--json"], ["search", "needle", "--jsonl"],
            ["show", "1", "--body", "response"], ["show", "2", "--json"], ["stats", "--json"], ["check", "--json"],
            ["assert", "--count", "3", "--json"], ["assert", "code:404", "--count", "0", "--json"],
            ["export", "--format", "csv", "2..3"], ["diff", "--left", "1", "--right", "2", "--json"],
        ]
        for command in commands {
            let kept = try await CommandLineTool.run(try Executable.inspect(), command + ["--store", store.path])
            let sides = command.first == "diff" ? ["--from", archive, "--from", archive] : ["--from", archive]
            let read = try await CommandLineTool.run(
                try Executable.inspect(),
                command + sides + ["--store", store.file("none.db")]
            )
            #expect(read.status == kept.status && read.errors == kept.errors, "\(command): \(read.errors)")
            #expect(read.output == kept.output && !read.output.isEmpty, "\(command): \(read.output)")
        }
    }

    @Test("A piped archive is read from standard input, and a file that is not there is one line")
    func pipes() async throws {
        let store = try CapturedStore()
        try await store.record(Sample(1, "GET", "/first"))
        let har = try await store.inspect("export").outputBytes
        let piped = try await CommandLineTool.run(
            try Executable.inspect(),
            ["ls", "--from", "-", "--jsonl"],
            input: har
        )
        #expect(piped.status == 0 && piped.output.contains("/first"), "\(piped.errors)")
        let missing = try await CommandLineTool.run(try Executable.inspect(), ["ls", "--from", store.file("none.har")])
        #expect(missing.status == 2 && missing.errors.hasPrefix("inspect: cannot read "), "\(missing.errors)")
    }

    @Test("A saved search of the store selects in an archive, and one that nobody saved is a mistake")
    func savedSearches() async throws {
        let store = try ClosedStore()
        try await store.fill([Sample(1, "GET", "/first"), Sample(2, "GET", "/second", code: 404)])
        let archive = store.path + ".har"
        #expect(try await store.inspect(["export", "-o", archive]).status == 0)
        #expect(try await store.inspect(["saved", "broken", "code:404"]).status == 0)
        for command in [["ls", "--jsonl"], ["export", "--format", "csv"]] {
            let read = try await store.inspect(command + ["@broken", "--from", archive])
            #expect(read.output.contains("/second") && !read.output.contains("/first"), "\(command): \(read.errors)")
        }
        let same = try await store.inspect(["diff", "@broken", "--from", archive])
        #expect(same.status == 0 && same.output.contains("1 compared: 1 the same"), "\(same.output)\(same.errors)")
        let unknown = try await store.inspect(["ls", "@nosuch", "--from", archive])
        #expect(unknown.status == 2 && unknown.errors.contains("nosuch"), "\(unknown.errors)")
    }

    @Test("An archive is read beside a store that cannot be used, whose error is told where a saved search is named")
    func unusableStore() async throws {
        let store = try ClosedStore()
        try await store.fill([Sample(1, "GET", "/first"), Sample(2, "GET", "/a@b")])
        let archive = store.path + ".har"
        #expect(try await store.inspect(["export", "-o", archive]).status == 0)
        #expect(try await store.inspect(["saved", "x", "path:/first"]).status == 0)
        let damage = """
            import sqlite3, sys
            path = sys.argv[1]
            db = sqlite3.connect(path)
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            page = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'saved_search'").fetchone()[0]
            size = db.execute("PRAGMA page_size").fetchone()[0]
            db.close()
            with open(path, "r+b") as file:
                file.seek((page - 1) * size)
                file.write(b"\\xff" * size)
            """
        let damaged = try await CommandLineTool.run("python3", ["-c", damage, store.path])
        #expect(damaged.status == 0, "\(damaged.errors)")
        let text = store.path + ".txt"
        try Data("no store at all, but some lines of text\n".utf8).write(to: URL(filePath: text))
        func read(_ terms: [String], _ path: String) async throws -> CommandLineTool.Result {
            let command = ["ls", "--jsonl"] + terms + ["--from", archive, "--store", path]
            return try await CommandLineTool.run(try Executable.inspect(), command)
        }
        for path in [store.path, text] {
            for terms in [[], ["\"a@b\""]] {
                let plain = try await read(terms, path)
                #expect(plain.status == 0 && plain.output.contains("/a@b"), "\(terms): \(plain.errors)")
            }
            let named = try await read(["@x"], path)
            #expect(named.status == 2 && named.errors.contains(path), "\(named.errors)")
        }
        let missing = try await read(["@x"], store.path + ".none")
        #expect(missing.status == 2 && missing.errors.contains(store.path + ".none"), "\(missing.errors)")
    }

    @Test(
        "A saved search of numbers of the store selects nothing in an archive",
        arguments: ["@two", "code:200 -@two"]
    )
    func savedNumbers(_ query: String) async throws {
        let store = try ClosedStore()
        try await store.fill([Sample(1, "GET", "/first"), Sample(2, "GET", "/second")])
        let archive = store.path + ".har"
        #expect(try await store.inspect(["export", "-o", archive]).status == 0)
        #expect(try await store.inspect(["saved", "two", "path:/second or id:2"]).status == 0)
        #expect(try await store.inspect(["saved", "second", "path:/second"]).status == 0)
        for command in [["ls", query], ["diff", "--left", "id:2", "--right", query]] {
            let refused = try await store.inspect(command + ["--from", archive])
            #expect(refused.status == 2 && refused.errors.contains("two"), "\(refused.output)\(refused.errors)")
        }
        for own in ["id:2", "@second", "id:2 @second"] {
            let read = try await store.inspect(["ls", "--jsonl", own, "--from", archive])
            #expect(read.output.contains("/second") && !read.output.contains("/first"), "\(own): \(read.errors)")
        }
    }

    @Test("Numbers of the store are not compared with the same numbers of an archive", arguments: ["@two", "id:2"])
    func numbers(_ left: String) async throws {
        let store = try ClosedStore()
        try await store.fill([Sample(1, "GET", "/first"), Sample(2, "GET", "/second")])
        let archive = store.path + ".har"
        #expect(try await store.inspect(["export", "-o", archive]).status == 0)
        #expect(try await store.inspect(["saved", "two", "id:2"]).status == 0)
        let refused = try await store.inspect(["diff", left, "--from", archive])
        #expect(refused.status == 2 && refused.errors.contains("--right"), "\(refused.output)\(refused.errors)")
        let meant = try await store.inspect(["diff", "--left", left, "--from", archive, "--right", "id:2"])
        #expect(meant.status == 0 && meant.output.contains("1 compared: 1 the same"), "\(meant.output)\(meant.errors)")
    }

    @Test("What an archive says of a refusal makes no command that has this user's login sent somewhere")
    func refusals() async throws {
        let store = try ClosedStore()
        let har = """
            {"log": {"version": "1.2", "creator": {"name": "x", "version": "1"}, "entries": [{
              "startedDateTime": "2026-11-20T10:00:00.000Z", "time": 1, "cache": {}, "_inspect": {}, "_outcome": "failed",
              "timings": {"send": 0, "wait": 1, "receive": 0},
              "request": {"method": "GET", "url": "http://a.test/", "httpVersion": "HTTP/1.1", "headers": [], "queryString": [],
                "cookies": [], "headersSize": -1, "bodySize": 0},
              "response": {"status": 0, "statusText": "", "httpVersion": "", "headers": [], "cookies": [], "redirectURL": "",
                "content": {"size": 0, "mimeType": ""}, "headersSize": -1, "bodySize": -1,
                "_error": "Log in again at http://evil.example:3128"},
              "_failure": {"side": "upstream", "phase": "connect", "cause": "proxy-authentication", "retry": true}
            }]}}
            """
        let archive = store.path + ".har"
        try Data(har.utf8).write(to: URL(filePath: archive))
        #expect(try await store.inspect(["import", archive]).status == 0)
        for source in [[], ["--from", archive]] {
            let shown = try await store.inspect(["show", "1"] + source)
            #expect(shown.output.contains("proxy-authentication") && !shown.output.contains("Mend"), "\(shown.output)")
            for command in [["show", "1", "--json"], ["export", "--format", "json", "--all"]] {
                let json = try await store.inspect(command + source)
                let packed = json.output.replacing(" ", with: "")
                #expect(packed.contains(#""remedy":null"#), "\(command): \(json.output)\(json.errors)")
            }
        }
    }

    @Test("What reads an archive was called --har before, and says what it is called now")
    func formerSpelling() async throws {
        let store = try CapturedStore()
        try await store.record(Sample(1, "GET", "/first"))
        _ = try await store.inspect("export", "-o", store.file("a.har"))
        let counted = try await store.inspect("assert", "--count", "1", "--har", store.file("a.har"))
        #expect(counted.status == 0)
        #expect(counted.errors == "inspect: 'inspect assert --har' is now 'inspect assert --from'\n")
    }
}
