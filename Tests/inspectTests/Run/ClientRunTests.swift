import Archive
import Store
import Testing

@testable import ProgramTests
@testable import inspect

@Suite("What is told of a program that has run", .timeLimit(.minutes(15)))
struct ClientRunTests {
    private let ended = ClientRun.Ended(status: 0, before: 0)

    private func run(on store: CapturedStore, har: String?) throws -> ClientRun {
        let options = try StartCommand.parse(["--store", store.path]).options
        return ClientRun(options: options, query: nil, har: har, redaction: try RedactionOptions.parse([]))
    }

    @Test("What does not come back from the recording is told, as an export tells it", arguments: [0, 1, 2])
    func overlong(count: Int) async throws {
        let store = try CapturedStore()
        for number in 1...3 {
            let bytes = [UInt8](repeating: 0x61, count: number <= count ? 4_000 : 2_000)
            try await store.record(Sample(UInt64(number), responseBody: bytes))
        }
        let har = store.file("run.har")
        let measure = EntryMeasure(textLimitBytes: 3_000)
        let lines = try run(on: store, har: har).told(ended, into: OutputFile(har), measure: measure)
        #expect(lines.first?.hasPrefix("3 exchanges recorded, written to ") == true, "\(lines)")
        #expect(Array(lines.dropFirst()) == ExportCommand.remarks(Exporter.Shortfall(overlong: count)))
        #expect(try !store.read("run.har").isEmpty)
    }

    @Test("Where no recording is left, nothing is told of one")
    func unrecorded() async throws {
        let store = try CapturedStore()
        try await store.record(Sample(1))
        let lines = try run(on: store, har: nil).told(ended, into: nil)
        #expect(lines.count == 1 && lines[0].hasPrefix("1 exchange recorded; see: inspect ls id:1"), "\(lines)")
    }
}
