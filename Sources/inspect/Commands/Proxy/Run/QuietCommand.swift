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
        within limit: Duration = .seconds(20)
    ) async throws -> Outcome? {
        guard let name = arguments.first, let program = ProgramFile.find(name, path: environment["PATH"]) else {
            return nil
        }
        let said = try SaidFile()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = Array(arguments.dropFirst())
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = said.handle
        process.standardError = said.handle
        do { try process.run() } catch {
            throw InputError("cannot run \(program): \(error.localizedDescription)")
        }
        let deadline = ContinuousClock.now + limit
        while process.isRunning {
            if ContinuousClock.now > deadline || Task.isCancelled { kill(process.processIdentifier, SIGKILL) }
            try? await Task.sleep(for: interval)
        }
        let isSignalled = process.terminationReason == .uncaughtSignal
        return Outcome(
            status: (isSignalled ? 128 : 0) + process.terminationStatus,
            output: try said.text()
        )
    }
}
