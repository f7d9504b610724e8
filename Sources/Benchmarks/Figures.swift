import Foundation

/// Figures as they are printed and measured.
enum Figures {
    /// A duration in seconds: `1.25 s`.
    static func seconds(_ duration: Duration) -> String { String(format: "%.2f s", duration / .seconds(1)) }

    /// A duration in milliseconds: `1.25`.
    static func milliseconds(_ duration: Duration) -> String { String(format: "%.1f", duration / .milliseconds(1)) }

    /// CPU seconds that this process has used, in all its threads.
    static var processSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// The most bytes of memory that this process has had at once; 0 where the system does not tell.
    static var greatestMemory: Int {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM") }),
            let kilobytes = line.split(whereSeparator: { !$0.isNumber }).first.flatMap({ Int($0) })
        else { return 0 }
        return kilobytes << 10
    }
}
