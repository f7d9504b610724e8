import Foundation
import NIOCore
import Support
import Testing

@testable import ProgramTests
@testable import inspect

/// Where the system allows few open files, `inspect start` says how many connections that leaves.
@Suite(.timeLimit(.minutes(15))) struct DescriptorLimitTests {
    /// Files that belong to no connection: six for each core are those that its two event loops wait on.
    private static let otherCount = 88 + 6 * System.coreCount

    /// Held by the suite, so that it outlives the program.
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func start(
        _ options: [String] = [],
        fileCount: Int = DescriptorLimitTests.otherCount + 200
    ) throws -> RunningProcess {
        try RunningProcess(
            "/bin/sh",
            ["-c", "ulimit -n \(fileCount) && exec \"$@\" 2>&1", "sh", try Executable.inspect()]
                + ["start", "--port", "0", "--web-port", "0"] + RunningInspect.places(directory) + options
        )
    }

    @Test(
        "A limit that cannot be kept is lowered with one line that says to what and how to raise it: to two files for each connection, beside those that are none's",
        arguments: [(otherCount + 200, 100), (otherCount + 1_000, 500), (otherCount, 1)]
    )
    func lowered(fileCount: Int, connectionCount: Int) async throws {
        let process = try start(fileCount: fileCount)
        let line = try await process.line(containing: "warning: ")
        #expect(line.contains("\(fileCount) files open"), "\(line)")
        #expect(line.contains(" \(connectionCount) client connections and not 10000"), "\(line)")
        _ = try await process.line(containing: "Ctrl-C stops")
        #expect(try await process.stop().status == 0)
    }

    @Test("Idle upstream connections are kept as far as clients leave room, by every event loop, and at least one")
    func idleUpstreams() {
        let cores = System.coreCount
        func count(_ fileCount: Int, _ clientCount: Int) -> Int {
            DescriptorLimit.idleUpstreamCount(within: Self.otherCount + fileCount, beside: clientCount)
        }
        #expect(count(60 * cores, 20 * cores) == 40 && count(60 * cores, 60 * cores) == 1 && count(0, 1) == 1)
    }

    @Test("That the default is lowered a little is not worth a word")
    func nearly() async throws {
        let process = try start(fileCount: 4_096)
        _ = try await process.line(containing: "Ctrl-C stops")
        let ended = try await process.stop()
        #expect(ended.status == 0 && !String(decoding: ended.output, as: UTF8.self).contains("warning"), "\(ended)")
    }

    @Test("A limit that can be kept is kept without a word")
    func kept() async throws {
        let process = try start(["--connection-limit", "100"])
        _ = try await process.line(containing: "Ctrl-C stops")
        let ended = try await process.stop()
        #expect(ended.status == 0 && !String(decoding: ended.output, as: UTF8.self).contains("warning"), "\(ended)")
    }
}
