import Foundation
import Traffic

/// A program that is asked something: no input, no terminal, what it says is read and not shown.
enum QuietCommand {
    /// How it ended, and what it said on both outputs.
    struct Outcome: Sendable {
        /// The exit status; 128 and the signal where one ended it, also ours at the deadline.
        let status: Int32
        let output: String
        var isSuccess: Bool { status == 0 }
        /// Whether a signal ended it, as ours does at the deadline, or nobody knows how it ended: then neither its status nor what it said is an answer.
        var isUnheard: Bool { status < 0 || (129...192).contains(status) }
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
    /// How long a program is waited for without a word.
    static let silence: Duration = .seconds(5)
    /// How often the end of the program is looked for.
    private static let interval: Duration = .milliseconds(5)

    /// Runs a program whose exit status is an answer; a program that a signal ended has not answered.
    ///
    /// - Returns: `nil` where the program does not exist.
    /// - Throws: as `run`; `InputError` when it did not answer.
    static func ask(_ arguments: [String], environment: [String: String]) async throws -> Outcome? {
        let outcome = try await run(arguments, environment: environment)
        if outcome?.isUnheard == true {
            throw InputError("\(VisibleText.line(arguments.first ?? "")) did not answer")
        }
        return outcome
    }

    /// Runs a program to its end, and says once that this takes long.
    ///
    /// - Parameters:
    ///   - arguments: the program's name, then its arguments.
    ///   - environment: the program's variables; their `PATH` says where the program is.
    ///   - limit: the time after which the program is killed with what it has started.
    ///   - silence: after this time a line says that the program has not answered yet.
    ///   - tell: takes that line.
    /// - Returns: `nil` where the program does not exist.
    /// - Throws: `InputError` when the system cannot start the program, or it prints more than is read; `CancellationError`.
    static func run(
        _ arguments: [String],
        environment: [String: String],
        within limit: Duration = Self.limit,
        silentFor silence: Duration = Self.silence,
        tell: @Sendable (String) -> Void = { Console.remark($0) }
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
        let began = ContinuousClock.now
        var isTold = false
        var status = ProcessStart.endSoFar(pid)
        while status == nil {
            let waited = ContinuousClock.now - began
            if waited >= silence, !isTold {
                isTold = true
                let most = limit.components.seconds
                tell("inspect: \(VisibleText.line(name)) has not answered yet; it is given \(most) seconds at most")
            }
            guard waited < limit, !Task.isCancelled else {
                // The whole session: a program may be a script that waits for another one.
                kill(-pid, SIGKILL)
                status = ProcessStart.end(pid)
                break
            }
            try? await Task.sleep(for: interval)
            status = ProcessStart.endSoFar(pid)
        }
        try Task.checkCancellation()
        return Outcome(status: status ?? 128 + SIGKILL, output: try said.text())
    }
}
