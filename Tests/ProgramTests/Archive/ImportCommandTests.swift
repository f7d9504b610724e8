import Foundation
import Support
import Testing
import Traffic

@Suite("inspect import", .timeLimit(.minutes(15)))
struct ImportCommandTests {
    private static func run(_ arguments: String...) async throws -> CommandLineTool.Result {
        try await CommandLineTool.run(try Executable.inspect(), arguments)
    }

    /// A HAR file of so many entries, each of some kilobytes.
    private static func har(_ count: Int) -> String {
        let entries = (1...count).map { number in
            """
            {"startedDateTime":"2026-01-02T03:04:05.678Z","time":1,"request":{"method":"GET","url":"https://a.test/\(number)","httpVersion":"HTTP/1.1",
            "cookies":[],"headers":[],"queryString":[],"headersSize":-1,"bodySize":0},"response":{"status":200,"statusText":"OK","httpVersion":"HTTP/1.1",
            "cookies":[],"headers":[{"name":"Content-Type","value":"text/plain"}],"content":{"size":2000,"mimeType":"text/plain","text":"\(String(repeating: "x", count: 2000))"},
            "redirectURL":"","headersSize":-1,"bodySize":2000},"cache":{},"timings":{"send":0,"wait":1,"receive":0}}
            """
        }
        return
            "{\"log\":{\"version\":\"1.2\",\"creator\":{\"name\":\"t\",\"version\":\"1\"},\"pages\":[],\"entries\":[\(entries.joined(separator: ","))]}}"
    }

    @Test(
        "HAR of every tool is read, each mend is reported, and what a tool repairs passes its check",
        arguments: ForeignHAR.all
    )
    func readsForeign(har: ForeignHAR) async throws {
        let directory = try TemporaryDirectory()
        let (file, store) = (try directory.write(har.text, to: "in.har"), directory.file("s.db"))
        let imported = try await Self.run("import", file, "--store", store)
        #expect(imported.status == 0)
        #expect(imported.output == "in.har: imported 1 exchange of HAR, 1\n")
        let mends = imported.errors.split(separator: "\n")
        #expect(mends.count == har.mends.count, "\(imported.errors)")
        for (line, mend) in zip(mends, har.mends) { #expect(line.hasPrefix("entry 1: \(mend)"), "\(line)") }
        let row = try await Self.run("ls", "--jsonl", "--store", store).output
        #expect(row.contains("\"target\":\"/a?b=1\"") && row.contains("\"started\":\"2026-01-02T02:04:05.678Z\""))
        let found = try await Self.run("export", "--format", "jsonl", "--store", store).output
        #expect(found.contains("needle"), "\(found)")
        // Decoded bodies are not decoded again, and are said to be whole.
        #expect(!found.contains("\"problem\":\""), "\(found)")

        let checked = try await Self.run("har", "check", file, "--repair", "-o", directory.file("out.har"))
        #expect(checked.status == (har.mends.isEmpty ? 0 : 1))
        for mend in har.mends {
            #expect(checked.output.contains("entry 1 (GET https://api.example.test/a?b=1): \(mend)"))
        }
        let again = try await Self.run("har", "check", directory.file("out.har"))
        #expect(again.status == 0 && again.output == "1 entries: nothing is wrong\n", "\(again.output)")
    }

    @Test("A HAR file with faults fails its check as well where nobody reads of them")
    func unread() async throws {
        let directory = try TemporaryDirectory()
        let har = try #require(ForeignHAR.all.first { !$0.mends.isEmpty })
        let ran = try await UnreadOutput.run(["har", "check", try directory.write(har.text, to: "in.har")])
        #expect(ran.output == "1\n" && ran.errors.isEmpty, "\(ran)")
    }

    @Test("A body that is kept decoded is sent again without its coding, and exports as it was")
    func sendsDecoded() async throws {
        let directory = try TemporaryDirectory()
        let text = ForeignHAR.all[0].text.replacing(
            #""bodySize":0}"#,
            with: #""bodySize":40,"postData":{"mimeType":"text/plain","text":"plain needle"}}"#
        ).replacing(
            #"{"name":"accept","value":"*/*"}"#,
            with: #"{"name":"content-encoding","value":"gzip"},{"name":"content-length","value":"40"}"#
        )
        let (file, store) = (try directory.write(text, to: "in.har"), directory.file("s.db"))
        #expect(try await Self.run("import", file, "--store", store).status == 0)
        let raw = try await Self.run("export", "--format", "raw", "--store", store).output
        #expect(
            raw.contains("content-length: 12\r\n\r\nplain needle") && !raw.contains("content-encoding: gzip"),
            "\(raw)"
        )
        let curl = try await Self.run("export", "--format", "curl", "--store", store).output
        #expect(curl.contains("plain needle") && !curl.contains("gzip"), "\(curl)")
        let har = try await Self.run("export", "--store", store).output
        #expect(har.contains("\"content-encoding\",\"value\":\"gzip\"") && har.contains("\"bodySize\":40"), "\(har)")
        let body = try await Self.run("show", "1", "--body", "response", "--store", store).output
        #expect(body == "{\"needle\":\"é\"}" || body.contains("é"), "\(body)")
    }

    @Test("Of a file that breaks off, what is whole is imported, and one line says where it broke")
    func saysWhereItBreaks() async throws {
        let directory = try TemporaryDirectory()
        let whole = Self.har(40)
        let file = try directory.write(String(whole.prefix(whole.count / 2)), to: "cut.har")
        let result = try await Self.run("import", file, "--store", directory.file("s.db"))
        #expect(result.status == 2)
        let count = try #require(result.output.firstMatch(of: /imported (\d+) exchanges/).flatMap { Int($0.output.1) })
        #expect((15...22).contains(count))
        #expect(
            result.errors.hasPrefix("inspect: cut.har ends within entry \(count + 1), at byte "),
            "\(result.errors)"
        )
        #expect(result.errors.filter { $0 == "\n" }.count == 1)
        let rows = try await Self.run("ls", "--jsonl", "--limit", "100", "--store", directory.file("s.db")).output
        #expect(rows.split(separator: "\n").count == count)
        // The next opening for writing still says so.
        let next = try await Self.run(
            "import",
            try directory.write(Self.har(1), to: "one.har"),
            "--store",
            directory.file("s.db")
        )
        #expect(
            next.errors.contains(
                "the import of cut.har was broken off: \(count) exchanges were imported, 1 to \(count)"
            )
        )
    }

    @Test(
        "A hostile file is one clear line, or an entry left out",
        arguments: [
            ("", "is empty", 2), ("[]", "is neither a HAR file nor JSON", 2), ("{}", "is neither a HAR file", 2),
            ("hello", "is neither", 2), ("{\"log\":7}", "log is no object", 2),
            ("{\"log\":{\"entries\":{}}}", "no list", 2),
            ("{\"log\":{\"entries\":[NaN]}}", "entry 1 is no JSON at its byte 0 (NaN)", 0),
            ("{\"log\":{\"entries\":[{\"time\":1e999}]}}", "entry 1 has no request", 0),
            ("{\"log\":{\"entries\":[" + String(repeating: "[", count: 100_000), "ends within entry 1", 2),
            (
                "{\"log\":{\"entries\":[" + String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000)
                    + "]}}",
                "more than 200 levels deep", 0
            ),
            (
                "{\"log\":{\"entries\":[{\"request\":{\"method\":\"\\ud800\\u0000\",\"url\":\"h\\u0000\",\"headersSize\":-9e300}}]}}",
                "headersSize is below -1", 0
            ),
            ("{\"log\":{\"entries\":[] garbage", "is no JSON after entry 0", 2),
            ("{\"id\":1}", "is no exchange that inspect exported", 0),
        ] as [(String, String, Int)]
    )
    func survives(text: String, says: String, status: Int) async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write(text, to: "in.har")
        let result = try await Self.run("import", file, "--store", directory.file("s.db"))
        #expect(result.status == Int32(status), "\(result.errors)")
        #expect(result.errors.contains(says), "\(result.errors)")
        let listed = try await Self.run("ls", "--json", "--store", directory.file("s.db"))
        #expect(listed.status == 0)
    }

    @Test("--session puts what is imported into a session, and what is recorded after it is in none")
    func intoSession() async throws {
        let directory = try TemporaryDirectory()
        let (file, store) = (try directory.write(Self.har(3), to: "in.har"), directory.file("s.db"))
        for arguments in [["--session", "before the fix"], [], ["--session", "after"], ["--session", "after"]] {
            let result = try await CommandLineTool.run(
                try Executable.inspect(),
                ["import", file, "--store", store] + arguments
            )
            #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
        }
        func ids(_ query: String) async throws -> [String] {
            try await Self.run("ls", "--jsonl", query, "--store", store).output.matches(of: /"id":(\d+)/)
                .map { String($0.output.1) }
        }
        #expect(try await ids("session:\"before the fix\"") == ["3", "2", "1"])
        #expect(try await ids("session:after") == ["12", "11", "10", "9", "8", "7"])
        // The archive that inspect exports names the session; another one takes its place.
        let archive = directory.file("out.json")
        _ = try await Self.run("export", "session:after", "--format", "json", "-o", archive, "--store", store)
        let other = directory.file("t.db")
        _ = try await Self.run("import", archive, "--session", "again", "--store", other)
        #expect(try await Self.run("ls", "--jsonl", "session:again", "--store", other).output.contains("\"id\":12,"))
        let refused = try await Self.run("import", file, "--session", "", "--store", store)
        #expect(refused.status == 2 && refused.errors.contains("--session takes a name"), "\(refused.errors)")
    }

    @Test("A running proxy does the import, behind its token, and others cannot")
    func isDoneByTheInstance() async throws {
        let instance = try await RunningInspect.start()
        let file = try instance.directory.write(Self.har(300), to: "in.har")
        let store = instance.directory.file("captures.db")
        let result = try await Self.run("import", file, "--store", store)
        #expect(
            result.status == 0 && result.output == "in.har: imported 300 exchanges of HAR, 1 to 300\n",
            "\(result.errors)"
        )
        let named = try await Self.run("import", file, "--session", "a+b c", "--store", store)
        #expect(named.output == "in.har: imported 300 exchanges of HAR, 301 to 600\n", "\(named.errors)")
        let rows = try await Self.run("ls", "--jsonl", "--limit", "1000", "session:\"a+b c\"", "--store", store).output
        #expect(rows.split(separator: "\n").count == 300)
        let cut = try instance.directory.write(String(Self.har(300).prefix(100_000)), to: "cut.har")
        let broken = try await Self.run("import", cut, "--store", store)
        #expect(broken.status == 2 && broken.errors.contains("cut.har ends within entry"), "\(broken.errors)")
        let refused = try await CommandLineTool.run(
            "curl",
            [
                "-s", "-o", "/dev/null", "-w", "%{http_code}", "-H", "Content-Type: application/json", "--data-binary",
                "@\(file)",
                "http://127.0.0.1:\(instance.pagePort)/api/v1/import",
            ]
        )
        #expect(["401", "403"].contains(refused.output))
        _ = try await instance.process.stop()
    }

    @Test("An import that is killed is never taken for a whole one", arguments: 1...3)
    func saysThatItWasKilled(round: Int) async throws {
        let directory = try TemporaryDirectory()
        let store = directory.file("s.db")
        let whole = Self.har(4000)
        let fifo = directory.file("pipe.har")
        mkfifo(fifo, 0o600)
        let process = try RunningProcess(try Executable.inspect(), ["import", fifo, "--store", store])
        // The reader is held in the middle of the file, so that the kill meets a running import.
        let feed = try FileHandle(forWritingTo: URL(filePath: fifo))
        let bytes = Data(whole.utf8)
        try feed.write(contentsOf: bytes.prefix(bytes.count * round / 4))
        let deadline = ContinuousClock.now + Patience.stretched(.seconds(30))
        var known = 0
        while known == 0, ContinuousClock.now < deadline {
            let rows = try await Self.run("ls", "--json", "--limit", "0", "--store", store)
            known = rows.output.firstMatch(of: /"total":(\d+)/).flatMap { Int($0.output.1) } ?? 0
        }
        #expect(known > 0)
        _ = try await process.destroy()
        try? feed.close()
        let next = try await Self.run("import", try directory.write(Self.har(1), to: "one.har"), "--store", store)
        #expect(next.status == 0)
        let found = try #require(
            next.errors.firstMatch(
                of: /the import of pipe.har was broken off: (\d+) exchanges were imported, 1 to (\d+)/
            )
        )
        #expect(found.output.1 == found.output.2)
        let rows = try await Self.run("ls", "--jsonl", "--limit", "10000", "--store", store).output.split(
            separator: "\n"
        )
        #expect("\(rows.count - 1)" == found.output.1)
    }

    @Test("The way out of a store that no writer can use, as the refusal tells it, brings every exchange into another")
    func wayOut() async throws {
        let store = try CapturedStore()
        var tunnel = Sample(2, "CONNECT", "api.example.test:443")
        (tunnel.exchange.outcome, tunnel.exchange.scheme, tunnel.exchange.code) = (.tunnelled, nil, nil)
        try await store.record(Sample(1, "GET", "/first"))
        try await store.record(tunnel)
        try await store.open(Sample(3, "GET", "/pending"))
        try store.close()
        let script = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute(sys.argv[2]); c.commit()"
        let change = "INSERT OR REPLACE INTO sequence (id, last) VALUES (1, 1 << 43)"
        #expect(try await CommandLineTool.run("python3", ["-c", script, store.path, change]).status == 0)
        let refused = try await store.inspect("store", "compact")
        #expect(refused.status == 2, "\(refused)")
        let other = store.file("other.db")
        let places = ["FILE": store.file("out"), "OTHER": other]
        let commands = refused.errors.matches(of: /`inspect ([^`]*)`/).map {
            $0.output.1.split(separator: " ").map { places[String($0)] ?? String($0) }
        }
        try #require(commands.count == 2, "\(refused.errors)")
        for command in [commands[0] + ["--store", store.path], commands[1]] {
            let ran = try await CommandLineTool.run(try Executable.inspect(), command)
            #expect(ran.status == 0, "\(command): \(ran.errors)")
        }
        let rows = try await Self.run("ls", "--jsonl", "--store", other).output.split(separator: "\n")
        #expect(rows.count == 3, "\(rows)")
    }
}
