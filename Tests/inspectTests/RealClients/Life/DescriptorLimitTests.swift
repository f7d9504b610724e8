import Foundation
import Support
import Testing

/// Where the system allows few open files, `inspect start` says how many connections that leaves.
@Suite(.timeLimit(.minutes(15))) struct DescriptorLimitTests {
    /// Held by the suite, so that it outlives the program.
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func start(_ options: [String] = [], fileCount: Int = 300) throws -> RunningProcess {
        try RunningProcess(
            "/bin/sh",
            ["-c", "ulimit -n \(fileCount) && exec \"$@\" 2>&1", "sh", try Executable.inspect()]
                + ["start", "--port", "0", "--web-port", "0"] + RunningInspect.places(directory) + options
        )
    }

    @Test(
        "A limit that cannot be kept is lowered with one line that says to what and how to raise it: to two files for each connection, beside those that are none's",
        arguments: [(300, 100), (1_100, 500), (100, 1)]
    )
    func lowered(fileCount: Int, connectionCount: Int) async throws {
        let process = try start(fileCount: fileCount)
        let line = try await process.line(containing: "warning: ")
        #expect(line.contains("\(fileCount) files open"), "\(line)")
        #expect(line.contains(" \(connectionCount) client connections and not 10000"), "\(line)")
        _ = try await process.line(containing: "Ctrl-C stops")
        #expect(try await process.stop().status == 0)
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
