import Foundation
import Support
import Testing

@testable import inspect

/// Where the system allows few open files, `inspect start` says how many connections that leaves.
@Suite(.timeLimit(.minutes(15))) struct DescriptorLimitTests {
    private static func start(_ options: [String], in directory: TemporaryDirectory) throws -> RunningProcess {
        try RunningProcess(
            "/bin/sh",
            ["-c", "ulimit -n 300 && exec \"$@\" 2>&1", "sh", try Executable.inspect(), "start", "--port", "0"]
                + ["--web-port", "0"] + RunningInspect.places(directory) + options
        )
    }

    @Test("A limit that cannot be kept is lowered with one line that says to what and how to raise it")
    func lowered() async throws {
        let process = try Self.start([], in: TemporaryDirectory())
        let line = try await process.line(containing: "warning: ")
        #expect(line.contains("300 files open") && line.contains("100 client connections and not 10000"), "\(line)")
        _ = try await process.line(containing: "Ctrl-C stops")
        #expect(try await process.stop().status == 0)
    }

    @Test("That the default is lowered a little is not worth a word")
    func nearly() async throws {
        let process = try RunningProcess(
            "/bin/sh",
            ["-c", "ulimit -n 4096 && exec \"$@\" 2>&1", "sh", try Executable.inspect(), "start", "--port", "0"]
                + ["--web-port", "0"] + RunningInspect.places(try TemporaryDirectory())
        )
        _ = try await process.line(containing: "Ctrl-C stops")
        let ended = try await process.stop()
        #expect(ended.status == 0 && !String(decoding: ended.output, as: UTF8.self).contains("warning"), "\(ended)")
    }

    @Test("A limit that can be kept is kept without a word")
    func kept() async throws {
        let process = try Self.start(["--connection-limit", "100"], in: TemporaryDirectory())
        _ = try await process.line(containing: "Ctrl-C stops")
        let ended = try await process.stop()
        #expect(ended.status == 0 && !String(decoding: ended.output, as: UTF8.self).contains("warning"), "\(ended)")
    }

    @Test(
        "Two files for each connection, beside those that are none's",
        arguments: [(300, 100), (20_100, 10_000), (64, 1)]
    )
    func counted(fileCount: Int, connectionCount: Int) {
        #expect(DescriptorLimit.connectionCount(within: fileCount) == connectionCount)
    }
}
