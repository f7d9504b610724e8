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
}
