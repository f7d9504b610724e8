import Foundation

/// The program that shows a long output on a terminal, page by page: PAGER, else `less -R`.
struct Pager {
    /// The shell's exit statuses for a program that is not there, or cannot be run (POSIX, Shell Command Language §2.8.2).
    private static let notStarted: Set<Int32> = [126, 127]

    /// The line for the shell that starts it.
    let command: String
    /// Its variables: as git does, `less` is told to end where all fits on the screen, to keep colours and to leave what it showed.
    let environment: [String: String]

    /// The pager that the variables ask for; `nil` for none: PAGER is empty or `cat`, or it is unset and there is no `less`, or the terminal is dumb.
    init?(environment: [String: String]) {
        guard environment["TERM"] != "dumb" else { return nil }
        if let named = environment["PAGER"] {
            guard !named.isEmpty, named != "cat" else { return nil }
            command = named
        } else {
            guard ProgramFile.find("less", path: environment["PATH"]) != nil else { return nil }
            command = "less -R"
        }
        self.environment = ["LESS": "FRX", "LV": "-c"].merging(environment) { $1 }
    }

    /// Has a closure write to the console of a command, on a terminal by way of the pager.
    ///
    /// - Parameters:
    ///   - colours: when colours are written.
    ///   - environment: the process's variables.
    ///   - write: writes all, and flushes the console; called once more, with the terminal itself, where the pager is not there.
    /// - Throws: what `write` throws.
    static func page(
        colours: ColourChoice,
        environment: [String: String] = ProcessInfo.processInfo.environment,
        _ write: (Console) throws -> Void
    ) throws {
        if isatty(STDOUT_FILENO) == 1, let pager = Pager(environment: environment) {
            let isShown = try pager.show { descriptor in
                try write(
                    Console(
                        descriptor: descriptor,
                        colours: colours,
                        environment: environment,
                        isTerminal: true,
                        shownOn: STDOUT_FILENO
                    )
                )
            }
            if isShown { return }
        }
        try write(Console(colours: colours, environment: environment))
    }

    /// Runs the pager while a closure writes to it, and waits until the reader leaves it.
    ///
    /// A reader may leave before all is written; that ends the writing in silence. Ctrl-C is the pager's meanwhile.
    ///
    /// - Parameter write: writes to a descriptor.
    /// - Returns: whether the pager was there.
    /// - Throws: what `write` throws, but for `OutputClosed`.
    func show(_ write: (Int32) throws -> Void) throws -> Bool {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return false }
        // The pager would wait for ever for the end of what it can itself write.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let interrupt = SignalAction(ignoring: SIGINT)
        defer { interrupt.restore() }
        var start = ProcessStart(arguments: ["/bin/sh", "-c", command], environment: environment)
        start.untouchedSignals = [SIGINT, SIGPIPE]
        start.input = ends[0]
        let started = Result { try start.start() }
        close(ends[0])
        guard let pid = try? started.get() else {
            close(ends[1])
            return false
        }
        let written = Result { try write(ends[1]) }
        close(ends[1])
        let status = ProcessStart.end(pid)
        if case .failure(let error) = written, !(error is OutputClosed) { throw error }
        return status.map { !Pager.notStarted.contains($0) } ?? true
    }
}
