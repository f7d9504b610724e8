import ArgumentParser
import Foundation
import Store
import Support
import Testing

@testable import ProgramTests
@testable import inspect

@Suite(.timeLimit(.minutes(15))) struct ExportCommandTests {
    private static func object(_ bytes: [UInt8]) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    }

    private static func store() async throws -> CapturedStore {
        let store = try CapturedStore()
        for token in 1...5 {
            try await store.record(
                Sample(
                    UInt64(token),
                    "GET",
                    "/\(token)",
                    code: token == 3 ? 500 : 200,
                    responseBody: Array("body \(token)".utf8)
                )
            )
        }
        return store
    }

    @Test("HAR goes to a file of its owner's, oldest first")
    func writesHAR() async throws {
        let store = try await Self.store()
        let result = try await store.inspect("export", "--format", "har", "-o", store.file("out.har"))
        #expect(result.status == 0 && result.output.isEmpty && result.errors.isEmpty)
        let log = try #require(try Self.object(try store.read("out.har"))["log"] as? [String: Any])
        let entries = try #require(log["entries"] as? [[String: Any]])
        #expect(
            entries.compactMap { ($0["request"] as? [String: Any])?["url"] as? String }
                == (1...5).map { "https://api.example.test/\($0)" }
        )
        let attributes = try FileManager.default.attributesOfItem(atPath: store.file("out.har"))
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let left = try FileManager.default.contentsOfDirectory(atPath: store.file("."))
        #expect(!left.contains { $0.hasSuffix(".partial") }, "\(left)")
    }

    @Test("The filter decides what is exported, as JSON lines and as one object")
    func writesJSON() async throws {
        let store = try await Self.store()
        let lines = try await store.inspect("export", "--format", "jsonl", "--code", "2xx").output.split(
            separator: "\n"
        )
        #expect(try lines.map { try Self.object(Array($0.utf8))["id"] as? Int } == [1, 2, 4, 5])
        let whole = try Self.object(try await store.inspect("export", "--format", "json", "--code", "500").outputBytes)
        let exchange = try #require((whole["exchanges"] as? [[String: Any]])?.first)
        let body = try #require((exchange["response"] as? [String: Any])?["body"] as? [String: Any])
        #expect(body["text"] as? String == "body 3")
    }

    @Test("What is left out, what is cut, and what will not come back, is said in a line each")
    func remarks() {
        #expect(ExportCommand.remarks(Exporter.Shortfall()).isEmpty)
        let one = ExportCommand.remarks(Exporter.Shortfall(leftOut: 1, shortened: [7], overlong: 1))
        #expect(
            one == [
                "1 exchange was left out: tunnels, WebSockets and unreadable requests cannot be sent again",
                "1 exchange is longer than 'inspect import' reads, so a part of its bodies or messages was left out: 7; "
                    + "all of it: inspect show 7 --body response --raw (or --body request), inspect show 7 --messages",
                "1 exchange has heads longer than 'inspect import' reads, so it does not come back from what is written here",
            ]
        )
        let two = ExportCommand.remarks(Exporter.Shortfall(shortened: [1, 2, 3, 4, 5, 6], overlong: 2))
        #expect(
            two == [
                "6 exchanges are longer than 'inspect import' reads, so a part of their bodies or messages was left out: "
                    + "1, 2, 3, 4, 5 and more; all of it: inspect show 1 --body response --raw (or --body request), inspect show 1 --messages",
                "2 exchanges have heads longer than 'inspect import' reads, so they do not come back from what is written here",
            ]
        )
    }

    @Test(
        "What was cut is shown from where the export took it",
        arguments: [
            ([], ""), (["--store", "my shop"], " --store 'my shop'"), (["--from", "a.har"], " --from a.har"),
        ] as [([String], String)]
    )
    func place(_ words: [String], told: String) throws {
        let command = try ExportCommand.parse(words)
        let lines = ExportCommand.remarks(Exporter.Shortfall(shortened: [7]), in: command.source.place)
        #expect(lines.count == 1 && lines[0].contains("inspect show 7\(told) --body "), "\(lines)")
        #expect(lines[0].hasSuffix("inspect show 7\(told) --messages"), "\(lines)")
    }

    @Test("A file that cannot be written is one clear line, and nothing is left behind")
    func explains() async throws {
        let store = try await Self.store()
        let result = try await store.inspect("export", "-o", store.file("nowhere/out.har"))
        #expect(result.status == 2)
        #expect(result.errors.hasPrefix("inspect: cannot write ") && result.errors.filter { $0 == "\n" }.count == 1)
    }
}
