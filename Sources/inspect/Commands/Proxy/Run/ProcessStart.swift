import Foundation

/// A program to be started by the system's own call: Foundation's `Process` puts a child into a process group of its own, where it cannot read from the terminal.
struct ProcessStart {
    /// The program's name or file, then its arguments.
    let arguments: [String]
    /// All of its variables.
    let environment: [String: String]
    /// Signals that have their default action in the program, whatever we do with them.
    var untouchedSignals: [Int32] = []
    /// The program's standard input; `nil` shares ours, and beside an `output` is empty.
    var input: Int32?
    /// The program's standard output; `nil` shares ours.
    var output: Int32?
    /// The program's standard error; `nil` shares ours.
    var errors: Int32?
    /// Whether the program gets a session of its own, away from the terminal.
    var isDetached = false

    /// Starts it.
    ///
    /// - Returns: its number.
    /// - Throws: `ProcessNotStarted`.
    func start() throws(ProcessNotStarted) -> pid_t {
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        var attributes: posix_spawnattr_t?
        #else
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        if let output {
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
            posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        }
        if let input { posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO) }
        if let errors { posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO) }
        var untouched = sigset_t()
        sigemptyset(&untouched)
        for number in untouchedSignals { sigaddset(&untouched, number) }
        posix_spawnattr_setsigdefault(&attributes, &untouched)
        // This runs on a thread that has nearly all of them blocked, which a child would have for good.
        var unblocked = sigset_t()
        sigemptyset(&unblocked)
        posix_spawnattr_setsigmask(&attributes, &unblocked)
        let masks = Int32(POSIX_SPAWN_SETSIGDEF) | Int32(POSIX_SPAWN_SETSIGMASK)
        let flags = masks | (isDetached ? Self.newSession : 0)
        posix_spawnattr_setflags(&attributes, Int16(flags))

        let words = arguments.map { strdup($0) }
        let variables = environment.map { strdup("\($0.key)=\($0.value)") }
        defer { (words + variables).forEach { free($0) } }
        var pid = pid_t()
        let code = posix_spawnp(&pid, arguments.first ?? "", &actions, &attributes, words + [nil], variables + [nil])
        guard code == 0 else { throw ProcessNotStarted(code: code) }
        return pid
    }

    /// Waits for the end of a child, and holds the thread until then.
    ///
    /// - Parameter pid: its number.
    /// - Returns: its exit status, or 128 and the signal that ended it; `nil` for what is no child of ours.
    static func end(_ pid: pid_t) -> Int32? {
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0 {
            guard errno == EINTR else { return nil }
        }
        return told(by: status)
    }

    /// How a child has ended, whoever it has left behind: as `end` says it; `nil` while it runs, and -1 for what is no child of ours.
    static func endSoFar(_ pid: pid_t) -> Int32? {
        var status: Int32 = 0
        let ended = waitpid(pid, &status, WNOHANG)
        if ended < 0, errno != EINTR { return -1 }
        return ended == pid ? told(by: status) : nil
    }

    private static func told(by status: Int32) -> Int32 {
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }

    /// Glibc shows the name of this flag to C with extensions only (`spawn.h`).
    private static var newSession: Int32 {
        #if canImport(Darwin)
        POSIX_SPAWN_SETSID
        #else
        0x80
        #endif
    }
}
