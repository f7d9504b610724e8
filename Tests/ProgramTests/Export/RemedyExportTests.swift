import Support
import Testing
import Traffic

@Suite("What helps against a failure, in exports", .timeLimit(.minutes(15)))
struct RemedyExportTests {
    @Test("What lifts a refusal stands in an export as in what show prints", arguments: ["json", "jsonl"])
    func refusals(_ format: String) async throws {
        let store = try CapturedStore()
        var sample = Sample(1).failed()
        sample.exchange.failure = ExchangeFailure(
            side: .client,
            phase: .connect,
            cause: .notAllowed,
            message: "This machine itself is not asked.",
            retry: false
        )
        try await store.record(sample)
        let export = ["export", "--format", format]
        for command in [["show", "1", "--json"], export, export + ["--share"]] {
            let shown = try await CommandLineTool.run(try Executable.inspect(), command + ["--store", store.path])
            let text = shown.output.filter { !$0.isWhitespace }
            let isTold = text.contains(#""command":"inspectstart--allow-local""#)
            #expect(isTold, "\(command): \(shown.output)\(shown.errors)")
        }
    }

    @Test("Of an archive's failed handshake the meaning is told, and no command that names what the archive names")
    func handshakes() async throws {
        let store = try CapturedStore()
        var sample = Sample(1).failed()
        sample.exchange.failure = ExchangeFailure(side: .client, phase: .tls, cause: .unknownCA, message: "No.")
        let process = LocalProcess(id: 1, name: "there.sh")
        sample.exchange.client = Peer(token: 1, address: "127.0.0.1:5", tls: nil, process: process)
        try await store.record(sample)
        try store.close()
        let archive = store.file("a.jsonl")
        #expect(try await store.inspect("export", "--format", "jsonl", "-o", archive).status == 0)
        #expect(try await store.inspect("import", archive).status == 0)
        let own = try await store.inspect("show", "1").output
        #expect(own.contains("inspect run -- there.sh"), "\(own)")
        let executable = try Executable.inspect()
        for place in [["show", "2", "--store", store.path], ["show", "1", "--from", archive]] {
            let shown = try await CommandLineTool.run(executable, place).output
            #expect(shown.contains("Means     It does not know the root"), "\(place): \(shown)")
            #expect(!shown.contains("inspect run") && !shown.contains("Fix  "), "\(place): \(shown)")
            let text = try await CommandLineTool.run(executable, place + ["--json"]).output
            #expect(text.filter { !$0.isWhitespace }.contains(#""command":null,"passThrough":null"#), "\(text)")
        }
    }
}
