import Foundation
import Support
import Testing

/// `inspect mcp` as agents use it: by the Python package of the Model Context Protocol, and by hand with what no client sends.
struct AgentTests {
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
            environment: ["HOME": stage.inspect.directory.path, "INSPECT_STORE": nil, "SWIFT_BACKTRACE": "enable=no"],
            within: .seconds(90)
        )
    }

    @Test(
        "Every tool by a real client, in the newest revision and in that of the handshake; no secret in any result",
        arguments: [("auto", "2026-07-28"), ("legacy", "2025-11-25")]
    )
    func tools(_ mode: String, _ revision: String) async throws {
        let stage = try await stage()
        let result = try await agent(stage, mode, Self.secret, "replays")
        #expect(result.status == 0 && result.output == revision + "\n", "\(result.output)\(result.errors)")
    }

    @Test("Without a running proxy everything can be read, and a replay says what to start")
    func offline() async throws {
        let stage = try await stage()
        _ = try await stage.inspect.process.stop()
        let result = try await agent(stage, "auto", Self.secret, "none")
        #expect(result.status == 0, "\(result.output)\(result.errors)")
    }

    @Test("With --no-redact secrets are shown as they were recorded")
    func shown() async throws {
        let stage = try await stage()
        let result = try await agent(stage, "auto", Self.secret, "replays", "--no-redact")
        #expect(result.status == 0, "\(result.output)\(result.errors)")
    }
}
