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

    @Test("What is unpacked of an archive is gone when the command is stopped", arguments: [SIGINT, SIGTERM, SIGHUP])
    func stopped(_ signal: Int32) async throws {
        let directory = try TemporaryDirectory()
        let unpacked = directory.file("unpacked")
        try FileManager.default.createDirectory(atPath: unpacked, withIntermediateDirectories: false)
        let pipe = directory.file("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let inspect = try RunningProcess(
            try Executable.inspect(),
            ["ls", "--from", pipe],
            environment: ["TMPDIR": unpacked]
        )
        // The pipe opens when the command has opened it to read, and it has nothing to read yet.
        let writing = await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: open(pipe, O_WRONLY)) }
        }
        defer { close(writing) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: unpacked).count == 1)
        kill(inspect.id, signal)
        #expect(try await inspect.end().status == 128 + signal)
        #expect(try FileManager.default.contentsOfDirectory(atPath: unpacked) == [])
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
