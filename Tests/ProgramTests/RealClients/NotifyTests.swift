import Foundation
import Support
import Testing

/// What a service manager is told, over a socket that Python listens on.
@Suite(.timeLimit(.minutes(15))) struct NotifyTests {
    @Test("It hears of readiness, of reloading, of life and of stopping", arguments: [true, false])
    func told(_ isFile: Bool) async throws {
        let directory = try TemporaryDirectory()
        let name = isFile ? directory.file("notify") : "@inspect-test-\(directory.path.suffix(36))"
        let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Peers/notify_socket.py").path
        let manager = try RunningProcess(
            try CommandLineTool.find("python3"),
            [script, name, "400000", try Executable.inspect(), "start", "--port", "0", "--web-port", "0"]
                + RunningInspect.places(directory),
            environment: RunningInspect.environment(directory)
        )
        let ready = try await manager.line(containing: "told READY=1")
        #expect(ready.contains("STATUS=Recording what passes 127.0.0.1:"))
        _ = try await manager.line(containing: "told WATCHDOG=1")
        kill(manager.id, SIGHUP)
        let reloading = try await manager.line(containing: "told RELOADING=1")
        #expect(reloading.contains(/MONOTONIC_USEC=[0-9]{6,}/))
        kill(manager.id, SIGTERM)
        let ended = try await manager.end()
        let told = String(decoding: ended.output, as: UTF8.self).split(separator: "\n").map(String.init)
        let words = told.filter { !$0.hasPrefix("told WATCHDOG") }.map { $0.prefix { $0 != "=" } }
        #expect(
            ended.status == 0 && words == ["told READY", "told RELOADING", "told READY", "told STOPPING", "ended 0"]
        )
    }
}
