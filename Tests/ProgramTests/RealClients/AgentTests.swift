import Foundation
import Support
import Testing

/// `inspect mcp` as agents use it: by the Python package of the Model Context Protocol, and by hand with what no client sends.
@Suite(.timeLimit(.minutes(15))) struct AgentTests {
    private static let secret = "s3cr3t-0123456789-abcdefghij"

    /// Four exchanges, one with a secret in its target, its head and its body.
    private func stage() async throws -> RealClientsTests.Stage {
        let stage = try await RealClientsTests.Stage.set()
        let common = ["-sS", "--noproxy", "", "-x", stage.inspect.proxy, "--cacert", stage.root]
        let runs: [[String]] = [
            ["--compressed", stage.url("/gzip?n=1")], ["--compressed", stage.url("/gzip?n=2")],
            [
                "-H", "Authorization: Bearer \(Self.secret)", "--data-binary",
                "{\"password\":\"\(Self.secret)\",\"n\":1}", "-H",
                "Content-Type: application/json", stage.url("/echo?token=\(Self.secret)"),
            ], [stage.url("/missing?n=3")],
        ]
        for run in runs { #expect(try await CommandLineTool.run("curl", common + run).status == 0) }
        return stage
    }

    private func agent(_ stage: RealClientsTests.Stage, _ arguments: String...) async throws -> CommandLineTool.Result {
        let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Peers/agent.py").path
        return try await CommandLineTool.run(
            try RealClientsTests.python(),
            [script, try Executable.inspect(), RunningInspect.store(stage.inspect.directory)] + arguments,
            within: .seconds(90)
        )
    }

    @Test(
        "Every tool by a real client, in the newest revision and in that of the handshake, with secrets only where asked for"
    )
    func tools() async throws {
        let stage = try await stage()
        async let newest = agent(stage, "auto", Self.secret, "replays", "--allow-replay")
        async let handshake = agent(stage, "legacy", Self.secret, "none")
        async let unredacted = agent(stage, "auto", Self.secret, "replays", "--no-redact", "--allow-replay")
        for (result, revision) in [
            (try await newest, "2026-07-28"), (try await handshake, "2025-11-25"), (try await unredacted, "2026-07-28"),
        ] {
            #expect(result.status == 0 && result.output == revision + "\n", "\(result.output)\(result.errors)")
        }
        // Without a running proxy everything can be read, and a replay says what to start.
        _ = try await stage.inspect.process.stop()
        let offline = try await agent(stage, "auto", Self.secret, "none", "--allow-replay")
        #expect(offline.status == 0, "\(offline.output)\(offline.errors)")
    }
}
