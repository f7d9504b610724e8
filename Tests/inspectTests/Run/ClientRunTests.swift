import Archive
import ArgumentParser
import Store
import Support
import Testing
import Traffic

@testable import ProgramTests
@testable import inspect

@Suite("What is told of a program that has run", .timeLimit(.minutes(15)))
struct ClientRunTests {
    private let ended = ClientRun.Ended(status: 0, before: 0)

    private func run(on store: CapturedStore, har: String?, _ redaction: [String] = []) throws -> ClientRun {
        let options = try StartCommand.parse(["--store", store.path]).options
        return ClientRun(options: options, query: nil, har: har, redaction: try RedactionOptions.parse(redaction))
    }

    @Test("What was left out of the recording for its length is told, as an export tells it", arguments: [0, 1, 2])
    func shortened(count: Int) async throws {
        let store = try CapturedStore()
        for number in 1...3 {
            let bytes = [UInt8](repeating: 0x61, count: number <= count ? 4_000 : 2_000)
            try await store.record(Sample(UInt64(number), responseBody: bytes))
        }
        let har = store.file("run.har")
        let measure = EntryMeasure(textLimitBytes: 3_000)
        let lines = try run(on: store, har: har).told(ended, into: OutputFile(har), measure: measure)
        #expect(lines.first?.hasPrefix("3 exchanges recorded, written to ") == true, "\(lines)")
        let told = (1...3).prefix(count).map { ExchangeID($0) }
        let place = " --store \(ShellWord(store.path))"
        #expect(Array(lines.dropFirst()) == ExportCommand.remarks(Exporter.Shortfall(shortened: told), in: place))
        #expect(try !store.read("run.har").isEmpty)
    }

    @Test("What was masked in the recording is told as an export tells it, and so is what could not be searched")
    func masked() async throws {
        let store = try CapturedStore()
        let fields = "Content-Type: image/png\r\n"
        let picture: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
        try await store.record(Sample(1, "GET", "/?token=q7Wn2Zk9Lx4Tb8Vd", fields: fields, responseBody: picture))
        let har = store.file("run.har")
        let lines = try run(on: store, har: har, ["--share"]).told(ended, into: OutputFile(har))
        #expect(lines.count == 2 && lines[0].contains("written to \(har); see:"), "\(lines)")
        let report = lines.last ?? ""
        #expect(report.hasPrefix("masked 1 value:\n  1 × parameter token\n1 body is no text"), "\(lines)")
    }

    @Test(
        "A recording with all secrets is told to be one; how to mask them is told to who has not refused it",
        arguments: [
            ([], " with all secrets (--share masks them); see:"),
            (["--share", "--no-redact"], " with all secrets; see:"),
        ] as [([String], String)]
    )
    func unmasked(_ words: [String], told: String) async throws {
        let store = try CapturedStore()
        try await store.record(Sample(1))
        let har = store.file("run.har")
        let lines = try run(on: store, har: har, words).told(ended, into: OutputFile(har))
        #expect(lines.count == 1 && lines[0].contains("written to \(har)\(told)"), "\(lines)")
    }

    @Test(
        "Masking without a file to mask is refused before anything runs, in words that fit every option that masks",
        arguments: [["--share"], ["--redact"], ["--redact-pattern", "IBAN"]]
    )
    func nothingToMask(_ words: [String]) async throws {
        let store = try CapturedStore()
        let launched = Watched(false)
        let problem = await #expect(throws: InputError.self) {
            try await run(on: store, har: nil, words).run { _ in
                launched.update { $0 = true }
                return 0
            }
        }
        let line = problem?.description ?? ""
        #expect(line.hasPrefix("masking is for the file of --har") && line.contains("give --har FILE"), "\(line)")
        #expect(!launched.value)
    }

    @Test(
        "A query that can select nothing afterwards is refused before anything runs",
        arguments: [
            ("@nosuch", "there is no saved search @nosuch"), ("404", "are not known before"),
            ("7 10..20", "are not known before"), ("@long @long", "at most 10000 are read"),
        ]
    )
    func refusesQuery(_ query: String, _ problem: String) async throws {
        let store = try CapturedStore()
        try store.close()
        let writing = try TrafficStore(path: store.path, access: .writing)
        try writing.save(SavedSearch(name: "long", query: String(repeating: "x", count: 6_000)))
        try writing.close()
        let options = try StartCommand.parse(["--store", store.path]).options
        let run = ClientRun(options: options, query: query, har: nil, redaction: try RedactionOptions.parse([]))
        let launched = Watched(false)
        let error = await #expect(throws: (any Error).self) {
            try await run.run { _ in
                launched.update { $0 = true }
                return 0
            }
        }
        #expect(error.map { CommandFailure.sentence($0).contains(problem) } == true, "\(String(describing: error))")
        #expect(!launched.value)
    }

    @Test("What failed is counted, with a part of an answer or without one; what was cancelled is not")
    func failed() async throws {
        let store = try CapturedStore()
        try await store.record(Sample(1))
        try await store.record(Sample(2).failed())
        var (cutOff, left) = (Sample(3), Sample(4))
        (cutOff.exchange.outcome, left.exchange.outcome) = (.failed, .cancelled)
        try await store.record(cutOff)
        try await store.record(left)
        let lines = try run(on: store, har: nil).told(ended, into: nil)
        #expect(lines.first?.hasPrefix("4 exchanges recorded, 2 failed; see: ") == true, "\(lines)")
    }

    @Test("Where no recording is left, nothing is told of one")
    func unrecorded() async throws {
        let store = try CapturedStore()
        try await store.record(Sample(1))
        let lines = try run(on: store, har: nil).told(ended, into: nil)
        #expect(lines.count == 1 && lines[0].hasPrefix("1 exchange recorded; see: inspect ls id:1"), "\(lines)")
    }
}
