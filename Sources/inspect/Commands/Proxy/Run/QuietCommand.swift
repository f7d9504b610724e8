import Foundation
import Synchronization

/// A program that is asked something: no input, no terminal, what it says is read and not shown.
enum QuietCommand {
    /// How it ended, and what it said on both outputs.
    struct Outcome: Sendable {
        /// The exit status; 128 and the signal where one ended it, also ours at the deadline.
        let status: Int32
        let output: String
        var isSuccess: Bool { status == 0 }
        /// The first line that says something.
        var firstLine: String {
            output.split(whereSeparator: \.isNewline).first { !$0.allSatisfy(\.isWhitespace) }.map(String.init) ?? ""
        }
        /// The last one.
        var lastLine: String {
            output.split(whereSeparator: \.isNewline).last { !$0.allSatisfy(\.isWhitespace) }.map(String.init) ?? ""
        }
    }

    /// How long a program may take to start and to answer: on a busy machine with one core Java's take half a minute.
    static let limit: Duration = .seconds(120)
    /// How often is looked whether it has ended.
    private static let interval: Duration = .milliseconds(5)

    /// Runs it to its end.
    ///
    /// - Parameters:
    ///   - arguments: its name and what follows.
    ///   - environment: its variables; it is looked for in their `PATH`.
    ///   - limit: past it, it is killed.
    /// - Returns: `nil` where there is no such program.
    /// - Throws: `InputError` when the system cannot start it; `CancellationError`.
    static func run(
        _ arguments: [String],
        environment: [String: String],
        within limit: Duration = Self.limit
    ) async throws -> Outcome? {
        guard let name = arguments.first, let program = ProgramFile.find(name, path: environment["PATH"]) else {
            return nil
        }
        let said = try SaidFile()
        var start = ProcessStart(
            arguments: [program] + arguments.dropFirst(),
            environment: environment,
            isDetached: true
        )
        start.untouchedSignals = [SIGPIPE]
        (start.output, start.errors) = (said.handle.fileDescriptor, said.handle.fileDescriptor)
        let pid: pid_t
        do { pid = try start.start() } catch { throw InputError("cannot run \(program): \(error)") }
        let deadline = ContinuousClock.now + limit
        var status = ProcessStart.endSoFar(pid)
        while status == nil {
            guard ContinuousClock.now < deadline, !Task.isCancelled else {
                kill(pid, SIGKILL)
                status = ProcessStart.end(pid)
                break
            }
            try? await Task.sleep(for: interval)
            status = ProcessStart.endSoFar(pid)
        }
        try Task.checkCancellation()
        return Outcome(status: status ?? 0, output: try said.text())
    }
}
