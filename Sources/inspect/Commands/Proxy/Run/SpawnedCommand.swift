import Foundation
import Traffic

/// A command that runs in the place of this one: on the same terminal, in the same process group, its end passed on.
struct SpawnedCommand {
    /// What a shell exits with for a command that it cannot start.
    static let notFound: Int32 = 127

    let arguments: [String]
    let environment: [String: String]

    /// Runs the command to its end; signals that would end this process go to it.
    ///
    /// The command ignores the signals that this process ignores, as after `nohup`.
    ///
    /// - Returns: its exit status, or 128 and the signal that ended it; `nil` when it could not be started, which is said on standard error.
    func run() async throws -> Int32? {
        let ending = [SIGTERM, SIGHUP, SIGINT, SIGQUIT].filter { !SignalAction.isIgnored($0) }
        guard let pid = try start(untouched: ending) else { return nil }
        // The keys of the terminal reach the child by themselves; what is sent to this process alone is passed on.
        let numbers = [SIGTERM, SIGHUP].filter(ending.contains)
        let earlier = (numbers + [SIGINT, SIGQUIT]).map(SignalAction.init(ignoring:))
        let passed = numbers.map { number in SignalAction.source(of: number) { kill(pid, number) } }
        let status = await withCheckedContinuation { continuation in
            DispatchQueue(label: "inspect.run.wait").async {
                continuation.resume(returning: ProcessStart.end(pid) ?? SpawnedCommand.notFound)
            }
        }
        for source in passed { source.cancel() }
        for action in earlier { action.restore() }
        return status
    }

    private func start(untouched ending: [Int32]) throws -> pid_t? {
        var start = ProcessStart(arguments: arguments, environment: environment)
        // We ignore this one ourselves.
        start.untouchedSignals = [SIGPIPE] + ending
        do { return try start.start() } catch {
            Console.remark("inspect: cannot run \(VisibleText.line(arguments.first ?? "")): \(error)")
            return nil
        }
    }
}
