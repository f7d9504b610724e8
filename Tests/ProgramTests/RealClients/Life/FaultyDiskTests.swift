import Foundation
import Store
import Support
import Testing

/// A disk that fills up, and one whose writes fail: traffic goes on, what is missing is said, and recording resumes by itself.
@Suite(.timeLimit(.minutes(15)))
struct FaultyDiskTests {
    /// What `faulty_disk.py` prints.
    private struct Report: Decodable {
        let before, during, after: [Int]
        let resumed, exit, wrong, rows, asked, served, failed: Int
        let shown, integrity, errors: String
        let told: [Gap]
        /// What is missing; a slow machine may have recorded others late.
        var gaps: [Gap] { told.filter { $0.cause != CaptureGap.lateCause } }

        struct Gap: Decodable {
            let count, started, ended: Int64
            let cause: String

            init(from decoder: any Decoder) throws {
                var row = try decoder.unkeyedContainer()
                count = try row.decode(Int64.self)
                started = try row.decode(Int64.self)
                ended = try row.decode(Int64.self)
                cause = try row.decode(String.self)
            }
        }
    }

    @Test("On a full disk every client is served, and what is missing has a count and a time")
    func full() async throws {
        let directory = try TemporaryDirectory()
        let report = try await Self.run(
            "unshare",
            ["--map-root-user", "--mount", try RealClientsTests.python()],
            "full",
            directory
        )
        Self.check(report, cause: "full")
    }

    @Test("When writes to the store fail every client is served, and what is missing has a count and a time")
    func broken() async throws {
        let directory = try TemporaryDirectory()
        let library = try await FaultyWrites.build()
        let report = try await Self.run(try RealClientsTests.python(), [], "broken", directory, [library.file])
        // While no write succeeds, nothing more is there.
        #expect(report.during == [0, 40])
        Self.check(report, cause: "I/O")
    }

    private static func run(
        _ program: String,
        _ arguments: [String],
        _ kind: String,
        _ directory: TemporaryDirectory,
        _ more: [String] = []
    ) async throws -> Report {
        let script = Readme.root.appending(path: "Tests/ProgramTests/Peers/faulty_disk.py").path
        let result = try await CommandLineTool.run(
            program,
            arguments + [script, kind, "\(Patience.seconds(30))", try Executable.inspect(), directory.path] + more,
            within: .seconds(150)
        )
        guard result.status == 0 else { throw Unexpected("faulty_disk.py: \(result.output)\(result.errors)") }
        return try JSONDecoder().decode(Report.self, from: Data(result.outputBytes))
    }

    private static func check(_ report: Report, cause: String) {
        #expect(report.asked >= 220 && report.served == report.asked && report.failed == 0, "\(report)")
        #expect(report.before == [0, 40], "Before, all is recorded")
        #expect(report.during[0] == 0 && report.during[1] >= 40 && report.during[1] < 200, "\(report.during)")
        #expect(report.after[0] == 0 && report.resumed == 20, "Once one is recorded again, all are: \(report)")
        #expect(report.exit == 0 && report.integrity == "ok" && report.wrong == 0, "\(report)")
        let missing = report.gaps.reduce(0) { $0 + $1.count }
        #expect(missing > 0 && Int(missing) + report.rows == report.asked, "\(missing) missing, \(report.rows) rows")
        #expect(report.gaps.allSatisfy { $0.ended >= $0.started && $0.cause.contains(cause) }, "\(report.gaps)")
        let newest = report.gaps.last?.count ?? 0
        #expect(report.shown.contains(newest == 1 ? "1 exchange that passed" : "\(newest) exchanges that passed from "))
        #expect(report.errors.contains("recording has stopped (") && report.errors.contains("recording again; "))
    }
}
