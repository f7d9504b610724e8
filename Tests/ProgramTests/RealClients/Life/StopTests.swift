import Foundation
import Support
import Testing

/// How `inspect start` ends when it is told to (SIGTERM).
@Suite(.timeLimit(.minutes(15))) struct StopTests {
    /// A client of HTTP/2 that asks once and then keeps its connection.
    private static let script = """
        import asyncio, httpx, ssl, sys
        proxy, root, url = sys.argv[1:]
        async def main():
            context = ssl.create_default_context(cafile=root)
            async with httpx.AsyncClient(http2=True, proxy=proxy, verify=context, trust_env=False, timeout=\(Patience.seconds(30))) as client:
                await client.get(url)
                print("begun", flush=True)
                await asyncio.sleep(\(Patience.seconds(60)))
        asyncio.run(main())
        """

    private func idleClient(_ stage: HTTP2ClientTests.Stage) async throws -> RunningProcess {
        let url = "https://localhost:\(stage.upstream.port)/large"
        let process = try RunningProcess(
            try RealClientsTests.python(),
            ["-c", Self.script, stage.inspect.proxy, stage.root, url]
        )
        _ = try await process.line(containing: "begun")
        return process
    }

    /// Ends a process properly; how long it took.
    private func stop(_ process: RunningProcess) async throws -> Duration {
        let started = ContinuousClock.now
        #expect(try await process.stop().status == 0)
        return .now - started
    }

    @Test("Idle connections of both sides, whose ends say nothing, hold it up no longer than none do")
    func idle() async throws {
        // An end that is waited for is waited for by seconds, each time; what else is slow on a busy machine is so by chance.
        var ratios: [Double] = []
        while ratios.count < 5, !ratios.contains(where: { $0 < 5 }) {
            let alone = try await stop(try await RunningInspect.start().process)
            let taken = try await stopBesideSilentEnds()
            print("stopping: \(alone) without connections, \(taken) with idle ones")
            ratios.append(taken / alone)
        }
        #expect(ratios.contains { $0 < 5 }, "\(ratios)")
    }

    /// Ends a proxy that has an idle connection on either side, whose ends answer no close_notify; how long it took.
    private func stopBesideSilentEnds() async throws -> Duration {
        let stage = try await HTTP2ClientTests.Stage.set(.hypercorn)
        let client = try await idleClient(stage)
        for process in [client, stage.upstream.process] { kill(process.id, SIGSTOP) }
        let taken = try await stop(stage.inspect.process)
        for process in [client, stage.upstream.process] { kill(process.id, SIGCONT) }
        #expect(try await stage.inspect.listing().exchanges.map(\.outcome) == ["completed"])
        return taken
    }

    /// Returns once a proxy says that it is stopping; its port may be somebody else's as soon as it lets nobody in.
    private func untilStopping(_ inspect: RunningInspect) async throws {
        let deadline = ContinuousClock.now + Patience.stretched(.seconds(20))
        let status = ["status", "--store", RunningInspect.store(inspect.directory)]
        while try await !RunningInspect.run(status, in: inspect.directory).output.contains("stopping; ") {
            if ContinuousClock.now > deadline { throw Unexpected("waited for the proxy to say that it is stopping") }
        }
    }

    /// What other commands say of a proxy that waits for what is open.
    private func checkStopping(_ inspect: RunningInspect) async throws {
        let places = RunningInspect.places(inspect.directory)
        let store = Array(places.prefix(2))
        let status = try await RunningInspect.run(["status"] + store, in: inspect.directory)
        #expect(status.status == 1 && status.output.contains("stopping; what is open comes to its end"), "\(status)")
        let start = ["start", "--daemon", "--port", "0", "--web-port", "0"] + places
        let again = try await RunningInspect.run(start, in: inspect.directory)
        let sentence = "process \(inspect.process.id) is stopping and still records into"
        #expect(again.status == 2 && again.errors.contains(sentence), "\(again)")
        let variables = try await RunningInspect.run(["env"] + store, in: inspect.directory)
        #expect(variables.status == 2 && variables.errors.contains("no proxy is running"), "\(variables)")
    }

    /// `inspect stop`, while it waits.
    private func stopping(_ inspect: RunningInspect) throws -> RunningProcess {
        try RunningProcess(
            try Executable.inspect(),
            ["stop", "--store", RunningInspect.store(inspect.directory)],
            environment: RunningInspect.environment(inspect.directory)
        )
    }

    @Test("A stream under way comes to its end first, and is recorded whole; who stops a second time waits as well")
    func underWay() async throws {
        let stage = try await HTTP2ClientTests.Stage.set(.hypercorn, ["--drain-seconds", "\(Patience.seconds(60))"])
        let size = RealUpstream.large.count * 10 + 3
        let file = stage.inspect.directory.file("slow")
        let client = try RunningProcess(
            try CommandLineTool.find("curl"),
            ["-vN", "--stderr", "-", "--noproxy", "", "-x", stage.inspect.proxy, "--cacert", stage.root, "--http2"]
                + ["-o", file, "https://localhost:\(stage.upstream.port)/slow"]
        )
        _ = try await client.line(containing: "< HTTP/2 200")
        let first = try stopping(stage.inspect)
        try await untilStopping(stage.inspect)
        let second = try stopping(stage.inspect)
        // These take longer than the second one takes to begin.
        try await checkStopping(stage.inspect)
        _ = try stage.inspect.directory.write("", to: "go")
        #expect(try await stage.inspect.process.end().status == 0)
        let ended = try await client.end()
        let came = try stage.inspect.directory.read("slow")
        #expect(ended.status == 0 && came.count == size, "\(ended)")
        let row = try #require(try await stage.inspect.listing().exchanges.first)
        #expect(row.outcome == "completed" && row.responseBytes == size, "\(row)")
        for stop in [first, second] {
            let ended = try await stop.end()
            let said = String(decoding: ended.output, as: UTF8.self)
            #expect(ended.status == 0 && said.hasPrefix("stopped process \(stage.inspect.process.id) in "), "\(ended)")
        }
    }
}
