import Foundation
import Synchronization

/// A child process, by the system calls themselves.
///
/// Foundation's `Process` will not do for tests on Linux: the child inherits the blocked signals of whichever thread starts
/// it, so that it may never see a SIGTERM, and its end is noticed only when every grandchild has ended too. Nor may a child
/// inherit NIO's sockets, which are not close-on-exec: a connection that a test closes would stay open in it.
enum ChildProcess {
    /// A program that runs, with the reading ends of its standard output and standard error.
    struct Started {
        let id: pid_t
        let output: Int32
        let errors: Int32
    }

    /// One start at a time: between making a pipe and marking it, another start would hand it to its child.
    private static let starting = Mutex(())

    /// Starts a program with all signals at their defaults, in a process group of its own.
    ///
    /// - Returns: the process; the caller closes its files.
    /// - Throws: `NotStarted` with the system's reason.
    static func start(
        _ path: String,
        _ arguments: [String],
        environment: [String: String],
        input: Int32
    ) throws -> Started {
        try starting.withLock { _ in
            let output = try pipe()
            let errors = try pipe()
            defer { [output.write, errors.write].forEach { close($0) } }
            let id = try spawn(path, arguments, environment, files: [input, output.write, errors.write])
            return Started(id: id, output: output.read, errors: errors.read)
        }
    }

    private static func spawn(
        _ path: String,
        _ arguments: [String],
        _ environment: [String: String],
        files: [Int32]
    ) throws -> pid_t {
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
        for (standard, file) in files.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, file, Int32(standard))
        }
        #if canImport(Darwin)
        let closing = POSIX_SPAWN_CLOEXEC_DEFAULT
        #else
        let closing: Int32 = 0
        closeOthers(&actions)
        #endif
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for signal in [SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGCHLD] { sigaddset(&signals, signal) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags =
            Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF) | Int32(POSIX_SPAWN_SETPGROUP) | closing
        posix_spawnattr_setflags(&attributes, Int16(flags))

        let words = ([path] + arguments).map { strdup($0) }
        let variables = environment.map { strdup("\($0.key)=\($0.value)") }
        defer { (words + variables).forEach { free($0) } }
        var id = pid_t()
        let code = posix_spawn(&id, path, &actions, &attributes, words + [nil], variables + [nil])
        guard code == 0 else { throw NotStarted(path: path, reason: String(cString: strerror(code))) }
        return id
    }

    #if !canImport(Darwin)
    private typealias CloseFrom = @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32

    /// Has a child close every file but the three standard ones.
    private static func closeOthers(_ actions: inout posix_spawn_file_actions_t) {
        // Glibc has one action for all of them and shows it to C with extensions only (`spawn.h`).
        if let all = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") {
            _ = unsafeBitCast(all, to: CloseFrom.self)(&actions, 3)
        } else {
            // Closing a file that is not open is no error here.
            for file in 3..<getdtablesize() { posix_spawn_file_actions_addclose(&actions, file) }
        }
    }
    #endif

    /// Waits, on the calling thread, until a process has ended, and leaves its number taken.
    static func waitUntilEnded(_ id: pid_t) {
        var information = siginfo_t()
        while waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    }

    /// Takes note of a process that has ended, which frees its number.
    ///
    /// - Returns: its exit status, or 128 and the signal that ended it.
    static func reap(_ id: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7f
        return signal == 0 ? (status >> 8) & 0xff : 128 + signal
    }

    /// A pipe whose ends no child inherits by itself.
    private static func pipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        guard Foundation.pipe(&ends) == 0 else {
            throw NotStarted(path: "a pipe", reason: String(cString: strerror(errno)))
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// A program could not be started.
    struct NotStarted: Error, CustomStringConvertible {
        let path: String
        let reason: String
        var description: String { "\(path): \(reason)" }
    }
}
