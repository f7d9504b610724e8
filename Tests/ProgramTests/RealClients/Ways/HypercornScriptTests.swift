import Support
import Testing

/// What the scripts that are an upstream and its client in one say when there is no upstream.
@Suite(.timeLimit(.minutes(15))) struct HypercornScriptTests {
    @Test("A server that cannot start fails the script with its own reason, and nobody waits for the client")
    func deadServer() async throws {
        let script = """
            async def app(scope, receive, send): pass
            async def talk(port, stop): await asyncio.Event().wait()
            asyncio.run(serve(app, talk, certfile="/nowhere.pem", keyfile="/nowhere.pem"))
            """
        let result = try await CommandLineTool.run(
            try RealClientsTests.python(),
            ["-c", HypercornScript.beginning + script],
            within: .seconds(60)
        )
        #expect(result.status == 1 && result.errors.contains("FileNotFoundError"), "\(result.errors)")
        #expect(!result.errors.contains("TimeoutError"), "\(result.errors)")
    }
}
