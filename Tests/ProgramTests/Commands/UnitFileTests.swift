import Foundation
import Support
import Testing

/// The unit file of the article on services is one that systemd takes.
@Suite(.timeLimit(.minutes(15))) struct UnitFileTests {
    @Test("systemd finds nothing wrong with the unit, and it notifies, reloads and drains")
    func unit() async throws {
        let unit = try Readme.block(after: "the unit file", in: Readme.article("service"))
        for line in ["Type=notify", "ExecReload=/bin/kill -HUP $MAINPID", "WatchdogSec=30"] {
            #expect(unit.contains("\n\(line)\n"), "\(line)")
        }
        let directory = try TemporaryDirectory()
        let program = "/usr/local/bin/inspect"
        #expect(unit.contains("ExecStart=\(program) start"))
        let there = unit.replacingOccurrences(of: program, with: try Executable.inspect())
        let path = try directory.write(there, to: "inspect.service")
        let result = try await CommandLineTool.run("systemd-analyze", ["verify", "--man=no", path])
        let about = result.errors.split(separator: "\n").filter { $0.contains("inspect.service") }
        #expect(result.status == 0 && about.isEmpty, "\(result)")
    }

    @Test("The container's start line is one that inspect takes")
    func container() async throws {
        let text = try Readme.block(after: "the container file", in: Readme.article("service"))
        let entry = try #require(text.firstMatch(of: /ENTRYPOINT (\[.*\])/)).output.1
        let words = try JSONDecoder().decode([String].self, from: Data(String(entry).utf8))
        #expect(words.first == "inspect" && words.dropFirst().first == "start")
        let directory = try TemporaryDirectory()
        let shown = try await RunningInspect.run(
            ["config", "show"] + words.dropFirst(2),
            in: directory,
            environment: ["INSPECT_PROXY_AUTH": "user:password"]
        )
        #expect(shown.status == 0, "\(shown.errors)")
    }
}
