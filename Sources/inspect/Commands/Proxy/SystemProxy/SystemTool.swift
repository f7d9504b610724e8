import Foundation

/// A program of the system's that settings are read and written with.
struct SystemTool: Sendable {
    /// How long one may take: one that asks a session that does not answer would wait for ever, and who it is run for with it.
    static let deadline = Duration.seconds(10)
    /// How often is looked whether it has ended.
    private static let intervalMicroseconds: UInt32 = 5_000

    /// Its file.
    let path: String

    /// Looks for a program where a shell would.
    init?(_ name: String, environment: [String: String]) {
        guard let found = ProgramFile.find(name, path: environment["PATH"]) else { return nil }
        path = found
    }

    /// Runs it to its end, on the calling thread.
    ///
    /// - Parameters:
    ///   - arguments: for it.
    ///   - added: variables beside those of this process.
    ///   - limit: past it, it is killed.
    /// - Returns: what it printed, without the last line's end.
    /// - Throws: `InputError` with its own words when it fails, and when it takes too long.
    func run(
        _ arguments: [String],
        adding added: [String: String] = [:],
        within limit: Duration = SystemTool.deadline
    ) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(added) { _, new in new }
        let (output, errors) = (try SaidFile(), try SaidFile())
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output.handle
        process.standardError = errors.handle
        do { try process.run() } catch { throw InputError("\(path) cannot be started: \(error)") }
        let command = ([path] + arguments).map(ShellText.quoted).joined(separator: " ")
        let end = ContinuousClock.now + limit
        while process.isRunning {
            guard ContinuousClock.now < end else {
                kill(process.processIdentifier, SIGKILL)
                throw InputError("\(command) did not end within \(limit), and was killed")
            }
            usleep(SystemTool.intervalMicroseconds)
        }
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            let line = try errors.text().trimmingCharacters(in: .whitespacesAndNewlines)
            throw InputError("\(command) failed (\(process.terminationStatus)): \(line)")
        }
        var text = try output.text()
        if text.hasSuffix("\n") { text.removeLast() }
        return text
    }
}
