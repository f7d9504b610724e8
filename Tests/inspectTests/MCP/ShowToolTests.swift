import ArgumentParser
import Support
import Testing
import Traffic

@testable import ProgramTests
@testable import inspect

@Suite("The tool that shows one exchange", .timeLimit(.minutes(15)))
struct ShowToolTests {
    @Test("What a lens reads is what the command line shows as JSON, with its advice in the same words")
    func decoded() async throws {
        let captured = try CapturedStore()
        var sample = Sample(1, "CONNECT", "gateway.icloud.com:443", host: "gateway.icloud.com").failed()
        sample.exchange.failure = ExchangeFailure(side: .client, phase: .tls, cause: .unknownCA, message: "No.")
        let id = try await captured.record(sample)
        let options = try StoreOptions.parse(["--store", captured.path])
        let tool = ShowTool()
        let shown = try await tool.call(
            MCPArguments(.object([("id", .number(Double(id)))]), of: tool.parameters),
            MCPContext(store: options, redactor: nil, resultLimitBytes: 1 << 20)
        )
        let store = try options.openForReading()
        let report = try DecodedReport(try ExchangeReader(store).record(id), store: store, limitBytes: 0)
        let printed = try JSONReader.value(try JSONWriter.bytes { try report.write(to: &$0) })
        let decoded = try #require(shown["decoded"])
        let texts = [decoded, printed].map { value in
            String(decoding: JSONWriter.bytes { $0.value(nil, value) }, as: UTF8.self)
        }
        #expect(texts[0] == texts[1])
        #expect(texts[0].contains("start with --pass-through gateway.icloud.com, or "), "\(texts[0])")
    }

    @Test("A failed handshake of an archive is explained, without a command and without a host to pass through")
    func imported() async throws {
        let captured = try CapturedStore()
        var sample = Sample(1).failed()
        sample.exchange.failure = ExchangeFailure(side: .client, phase: .tls, cause: .pinned, message: "No.")
        try await captured.record(sample)
        try captured.close()
        let archive = captured.file("a.jsonl")
        #expect(try await captured.inspect("export", "--format", "jsonl", "-o", archive).status == 0)
        #expect(try await captured.inspect("import", archive).status == 0)
        let options = try StoreOptions.parse(["--store", captured.path])
        let tool = ShowTool()
        for (id, isBare) in [(1.0, false), (2.0, true)] {
            let shown = try await tool.call(
                MCPArguments(.object([("id", .number(id))]), of: tool.parameters),
                MCPContext(store: options, redactor: nil, resultLimitBytes: 1 << 20)
            )
            let remedy = try #require(shown["remedy"])
            #expect(remedy["explanation"]?.string?.contains("pinning") == true, "\(remedy)")
            #expect(["command", "passThrough"].map { remedy[$0]?.string == nil } == [isBare, isBare], "\(remedy)")
        }
    }
}
