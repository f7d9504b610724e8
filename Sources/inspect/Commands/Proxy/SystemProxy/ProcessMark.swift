import Foundation

/// The number of a process with its start, which tells the process from a later process with the same number.
struct ProcessMark: Codable, Hashable, Sendable {
    let pid: Int32
    /// The start of the process in clock ticks since boot, and the id of that boot; `nil` where the system does not say.
    let started: String?

    /// The process that has this number now.
    init(pid: Int32) {
        self.pid = pid
        started = ProcessMark.start(of: pid)
    }

    /// This process.
    static var own: ProcessMark { ProcessMark(pid: getpid()) }

    /// Whether the process still runs.
    var isRunning: Bool {
        guard kill(pid, 0) == 0 || errno == EPERM else { return false }
        return started == nil || started == ProcessMark.start(of: pid)
    }

    /// The 22nd field of the process's line (proc_pid_stat(5)), counted from the end of its name, which may hold anything.
    private static func start(of pid: Int32) -> String? {
        guard
            let line = FileManager.default.contents(atPath: "/proc/\(pid)/stat").map({
                String(decoding: $0, as: UTF8.self)
            }),
            let end = line.lastIndex(of: ")")
        else { return nil }
        let fields = line[line.index(after: end)...].split(separator: " ")
        let boot = FileManager.default.contents(atPath: "/proc/sys/kernel/random/boot_id") ?? Data()
        guard fields.count > 19 else { return nil }
        return "\(fields[19]) \(String(decoding: boot, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))"
    }
}
