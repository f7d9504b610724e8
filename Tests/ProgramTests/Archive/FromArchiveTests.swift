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
