import Foundation
import Support
import Testing

/// Other tools read what we export.
@Suite("HAR in other tools", .timeLimit(.minutes(15)))
struct ArchiveReadersTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    @Test(
        "A store of every kind validates, passes Chrome's number rule and loads in haralyzer",
        arguments: [true, false]
    )
    func isRead(all: Bool) async throws {
        struct Seen: Decodable {
            var entries: Int
            var problems: [String]
            var haralyzer: Int
        }
        let store = try await EveryKind.store()
        _ = try await store.inspect("export", "-o", store.file("out.har"), all ? "--all" : "--no-redact")
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Readers/read.py").path
        let python = Self.root.appending(path: ".build/venv/bin/python").path
        let result = try await CommandLineTool.run(python, [script, store.file("out.har")])
        #expect(result.errors == "")
        let seen = try JSONDecoder().decode(Seen.self, from: Data(result.outputBytes))
        #expect(seen.problems == [])
        #expect(seen.entries > 35 && seen.haralyzer == seen.entries)

        let check = try await CommandLineTool.run(try Executable.inspect(), ["har", "check", store.file("out.har")])
        #expect(check.status == 0 && check.output == "\(seen.entries) entries: nothing is wrong\n", "\(check.output)")
    }

    @Test("mitmdump reads a store of every kind whole", arguments: [false, true])
    func isReadByMitmdump(all: Bool) async throws {
        let store = try await EveryKind.store()
        // What HAR leaves out without --all is open or a tunnel.
        let option = all ? "--all" : "--no-redact"
        _ = try await store.inspect("export", "-o", store.file("out.har"), option)
        let query = all ? "" : "outcome:completed,failed,cancelled"
        let count = try await store.inspect("export", "--format", "jsonl", query, "--all").output
            .split(separator: "\n").count
        let mitmdump = Self.root.appending(path: ".build/mitm/bin/mitmdump").path
        let result = try await CommandLineTool.run(
            mitmdump,
            ["-q", "-n", "-r", store.file("out.har"), "-w", store.file("out.mitm")],
            environment: ["HOME": store.file("home")]
        )
        #expect(result.status == 0 && result.errors == "", "\(result.errors)")
        let program = """
            import sys
            from mitmproxy.io import FlowReader
            print(sum(1 for _ in FlowReader(open(sys.argv[1], 'rb')).stream()))
            """
        let python = Self.root.appending(path: ".build/mitm/bin/python").path
        let read = try await CommandLineTool.run(python, ["-c", program, store.file("out.mitm")])
        #expect(read.output == "\(count)\n", "\(read.errors)")
    }
}
