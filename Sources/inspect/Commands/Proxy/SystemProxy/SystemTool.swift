import Foundation
import Traffic

/// A program of the system that reads and writes settings.
struct SystemTool: Sendable {
    /// How long a program may take; a program that asks a dead session would never end.
    static let deadline = Duration.seconds(10)
    /// The pause between two looks whether the program has ended: `waitpid` has no waiting with a deadline, and the command has nothing else to do.
    private static let intervalMicroseconds: UInt32 = 5_000

    /// The program's file.
    let path: String

    /// Finds a program where a shell would find it.
    init?(_ name: String, environment: [String: String]) {
        guard let found = ProgramFile.find(name, path: environment["PATH"]) else { return nil }
        path = found
    }

    /// Runs the program to its end, on the calling thread.
    ///
    /// - Parameters:
    ///   - arguments: the program's arguments.
    ///   - added: variables beside those of this process.
    ///   - limit: the time after which the program is killed.
    /// - Returns: what the program printed, without the last line's end.
    /// - Throws: `InputError` with the program's own words when the program fails, and when it takes too long.
    func run(
        _ arguments: [String],
        adding added: [String: String] = [:],
        within limit: Duration = SystemTool.deadline
    ) throws -> String {
        let (output, errors) = (try SaidFile(), try SaidFile())
        // The program is detached from the terminal, whose keys would end it between two settings.
        var start = ProcessStart(
            arguments: [path] + arguments,
            environment: ProcessInfo.processInfo.environment.merging(added) { _, new in new },
            isDetached: true
        )
        start.untouchedSignals = [SIGPIPE]
        (start.output, start.errors) = (output.handle.fileDescriptor, errors.handle.fileDescriptor)
        let pid: pid_t
        do { pid = try start.start() } catch { throw InputError("\(path) cannot be started: \(error)") }
        let command = ([path] + arguments).map { ShellWord($0).description }.joined(separator: " ")
        let end = ContinuousClock.now + limit
        var status = ProcessStart.endSoFar(pid)
        while status == nil {
            guard ContinuousClock.now < end else {
                kill(pid, SIGKILL)
                _ = ProcessStart.end(pid)
                throw InputError("\(command) did not end within \(limit), and was killed")
            }
            usleep(SystemTool.intervalMicroseconds)
            status = ProcessStart.endSoFar(pid)
        }
        guard status == 0 else {
            let line = try errors.text().trimmingCharacters(in: .whitespacesAndNewlines)
            throw InputError("\(command) failed (\(status ?? 0)): \(line)")
        }
        var text = try output.text()
        if text.hasSuffix("\n") { text.removeLast() }
        return text
    }
}
