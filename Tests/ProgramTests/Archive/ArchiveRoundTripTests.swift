import Foundation
import Support
import Testing

/// What is exported and imported again is exported the same, byte for byte.
@Suite("Archives come back as they went", .timeLimit(.minutes(15)))
struct ArchiveRoundTripTests {
    @Test("A store of every kind of exchange, through each format", arguments: ["har", "json", "jsonl"])
    func isByteEqual(format: String) async throws {
        let first = try await EveryKind.store()
        try first.close()
        // What people say of exchanges goes along.
        for mark in [["tag", "1..3", "slow", "v2.1"], ["note", "2", "said <b>\"so\"</b>"], ["favourite", "3..4"]] {
            _ = try await Self.run(["mark"] + mark + ["--store", first.path])
        }
        let export = ["export", "--format", format, "--all", "-o"]
        _ = try await Self.run(export + [first.file("1"), "--store", first.path])
        let imported = try await Self.run(["import", first.file("1"), "--store", first.file("second.db")])
        #expect(imported.errors.isEmpty)
        _ = try await Self.run(export + [first.file("2"), "--store", first.file("second.db")])
        let (before, after) = (try first.read("1"), try first.read("2"))
        #expect(before.count > 20_000)
        if before != after { Issue.record("\(Self.difference(before, after))") }

        // Every row says the same, and what is found in bodies is found again.
        let rows = try await Self.run(["ls", "--jsonl", "--store", first.path]).output
        let rowsAgain = try await Self.run(["ls", "--jsonl", "--store", first.file("second.db")]).output
        for (row, again) in zip(rows.split(separator: "\n"), rowsAgain.split(separator: "\n")) { #expect(again == row) }
        #expect(rows.utf8.count > 10_000 && rows.utf8.count == rowsAgain.utf8.count)
        for query in [
            "coded café", "resbody:café", "message:inflated", "is:truncated", "tag:slow",
            "note:so is:favourite or tag:v2.1", "is:modified rule:slow", "rule:\"as the beta app\"",
        ] {
            let found = try await Self.run(["ls", query, "--jsonl", "--store", first.path]).output
            #expect(!found.isEmpty, "\(query)")
            let again = try await Self.run(["ls", query, "--jsonl", "--store", first.file("second.db")]).output
            #expect(again == found, "\(query)")
        }
        let shown = try await Self.run(["show", "9", "--body", "response", "--store", first.file("second.db")]).output
        #expect(shown.contains("coded café"))
    }

    @Test("JSON through HAR loses certificates and nothing else; gzip and a byte order mark are read")
    func isReadPacked() async throws {
        let store = try await EveryKind.store()
        _ = try await Self.run(["export", "--all", "-o", store.file("1.har"), "--store", store.path])
        let har = Data(try store.read("1.har"))
        try (Data([0xEF, 0xBB, 0xBF]) + har).write(to: URL(filePath: store.file("2.har")))
        _ = try await CommandLineTool.run("gzip", [store.file("2.har")])
        _ = try await Self.run(["import", store.file("2.har.gz"), "--store", store.file("3.db")])
        _ = try await Self.run(["export", "--all", "-o", store.file("3.har"), "--store", store.file("3.db")])
        #expect(Data(try store.read("3.har")) == har)
    }

    @Test("Into a store that has exchanges, they get numbers of its own, and a replay still names its original")
    func isRenumbered() async throws {
        let store = try await EveryKind.store()
        let exported = store.file("1.json")
        _ = try await Self.run(["export", "--format", "json", "-o", exported, "--store", store.path])
        let target = try CapturedStore()
        try await target.record(Sample(1))
        try target.close()
        let imported = try await Self.run(["import", exported, "--store", target.path])
        #expect(imported.output.contains("imported") && imported.output.contains(", 2 to "))
        let replay = try await Self.run(["export", "is:replay", "--format", "jsonl", "--store", target.path]).output
        #expect(replay.contains("\"replayOf\":4,"))
    }

    @Test("A replay whose original was left out is the same when it comes back", arguments: ["har", "json"])
    func isAlone(format: String) async throws {
        let store = try await EveryKind.store()
        let (one, two, copy) = (store.file("1.\(format)"), store.file("2.\(format)"), store.file("copy.db"))
        _ = try await Self.run(["export", "is:replay", "--format", format, "-o", one, "--store", store.path])
        _ = try await Self.run(["import", one, "--store", copy])
        _ = try await Self.run(["export", "is:replay", "--format", format, "-o", two, "--store", copy])
        let (before, after) = (try store.read("1.\(format)"), try store.read("2.\(format)"))
        #expect(before == after, "\(Self.difference(before, after))")
        #expect(String(decoding: before, as: UTF8.self).contains("eplayOf\":3"))
    }

    /// Runs `inspect`, which must succeed.
    private static func run(_ arguments: [String]) async throws -> CommandLineTool.Result {
        let result = try await CommandLineTool.run(try Executable.inspect(), arguments)
        #expect(result.status == 0, "\(arguments.joined(separator: " ")): \(result.errors)")
        return result
    }

    /// The first place at which two texts differ.
    private static func difference(_ one: [UInt8], _ other: [UInt8]) -> String {
        let place = zip(one, other).enumerated().first { $1.0 != $1.1 }?.offset ?? min(one.count, other.count)
        func around(_ bytes: [UInt8]) -> String {
            String(decoding: bytes[max(0, place - 300)..<min(bytes.count, place + 100)], as: UTF8.self)
        }
        return "at \(place) of \(one.count) and \(other.count):\n\(around(one))\n---\n\(around(other))"
    }
}
