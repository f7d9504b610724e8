import Foundation

/// A command that runs in the place of this one: on the same terminal, in the same process group, its end passed on.
///
/// Foundation's `Process` puts a child into a group of its own, where it cannot read from the terminal.
struct SpawnedCommand {
    /// What a shell exits with for a command that it cannot start.
    static let notFound: Int32 = 127

    let arguments: [String]
    let environment: [String: String]

    /// Runs the command to its end; signals that would end this process go to it.
    ///
    /// - Returns: its exit status, or 128 and the signal that ended it; `nil` when it could not be started, which is said on standard error.
    func run() async throws -> Int32? {
        guard let pid = try spawn() else { return nil }
        // The keys of the terminal reach the child by themselves; what is sent to this process alone is passed on.
        let passed = [SIGTERM, SIGHUP].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { kill(pid, number) }
            source.resume()
            return source
        }
        let heard = [SIGINT, SIGQUIT].map { signal($0, SIG_IGN) }
        let status = await withCheckedContinuation { continuation in
            DispatchQueue(label: "inspect.run.wait").async { continuation.resume(returning: SpawnedCommand.wait(pid)) }
        }
        for source in passed { source.cancel() }
        for (number, handler) in zip([SIGINT, SIGQUIT], heard) { signal(number, handler) }
        return status
    }

    private func spawn() throws -> pid_t? {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var defaults = sigset_t()
        sigemptyset(&defaults)
        for number in [SIGPIPE, SIGINT, SIGQUIT, SIGTERM, SIGHUP] { sigaddset(&defaults, number) }
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))

        let words = arguments.map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (words + variables).forEach { free($0) } }
        var pid: pid_t = 0
        let name = arguments.first ?? ""
        let result = posix_spawnp(&pid, name, nil, &attributes, words, variables)
        guard result == 0 else {
            let reason = result == ENOENT ? "there is no such command" : String(cString: strerror(result))
            let line = "inspect: cannot run \(TerminalText.escaped(name)): \(reason)\n"
            try Console.write(Array(line.utf8), to: STDERR_FILENO)
            return nil
        }
        return pid
    }

    private static func wait(_ pid: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0 {
            guard errno == EINTR else { return notFound }
        }
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }
}
