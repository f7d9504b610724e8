import Foundation

/// Starts this program again, detached from the terminal, and waits until it says that it is ready.
///
/// What it prints until then is printed here. Readiness is a zero byte on its standard output, which no text has; without it the end of the
/// output is its own end.
struct Daemon {
    /// What ends the guide that the started process prints.
    static let ready: UInt8 = 0

    /// The command line to start it with, without the program's name.
    let arguments: [String]

    /// Starts the program; returns its process number once it answers clients.
    ///
    /// - Throws: `InputError` when the program cannot be started, `DaemonEnded` with its exit status when it ended instead and said why.
    func start() throws -> pid_t {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw InputError("no pipe could be made: \(String(cString: strerror(errno)))") }
        let (reading, writing) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(reading) }
        let pid: pid_t
        do {
            defer { close(writing) }
            pid = try spawn(output: writing)
        }
        if try relay(from: reading) { return pid }
        throw DaemonEnded(status: ProcessStart.end(pid) ?? 0)
    }

    /// Prints what the program prints; returns whether the program said that it is ready.
    private func relay(from reading: Int32) throws -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = read(reading, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            let text = buffer[..<count].prefix { $0 != Daemon.ready }
            try Console.write(Array(text), to: STDOUT_FILENO)
            if text.count < count { return true }
        }
    }

    /// Starts the program in a session of its own; standard error stays ours until it is ready.
    private func spawn(output: Int32) throws -> pid_t {
        guard let program = Bundle.main.executablePath ?? CommandLine.arguments.first else {
            throw InputError("the program's own file cannot be found")
        }
        let start = ProcessStart(
            arguments: [program] + arguments,
            environment: ProcessInfo.processInfo.environment,
            output: output,
            isDetached: true
        )
        do { return try start.start() } catch { throw InputError("\(program) cannot be started: \(error)") }
    }

    /// Tells who started this process that clients are answered, and lets go of it: standard output leads nowhere from now on, standard error to the log.
    static func becameReady(log: LogOutput) {
        try? Console.write([ready], to: STDOUT_FILENO)
        let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
        if nowhere >= 0 {
            dup2(nowhere, STDOUT_FILENO)
            close(nowhere)
        }
        log.adoptStandardError()
    }
}
