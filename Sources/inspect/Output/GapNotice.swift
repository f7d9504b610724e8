import Foundation
import Store

/// Says in one line what passed and could not be recorded.
enum GapNotice {
    /// `12 exchanges that passed from 2026-11-20 14:02:03 to 2026-11-20 14:02:09 could not be recorded: database or disk is full`.
    static func line(_ gap: CaptureGap) -> String {
        let what = gap.count == 1 ? "1 exchange" : "\(gap.count) exchanges"
        if gap.kind == .pause, gap.count == 0 {
            return "recording was paused from \(LocalTime.text(microseconds: gap.from)) on; nothing passed meanwhile"
        }
        let (from, to) = (LocalTime.text(microseconds: gap.from), LocalTime.text(microseconds: gap.to))
        let not = gap.kind == .pause ? "were not" : "could not be"
        return "\(what) that passed from \(from) to \(to) \(not) recorded: \(TerminalText.escaped(gap.cause))"
    }

    /// Keeps the lines in order, off the writer's queue: who does not read them must not hold up the recording.
    private static let queue = DispatchQueue(label: "inspect.notices", qos: .utility)

    /// Tells who watches a running instance, on standard error.
    static func write(_ news: RecordingNews) {
        let text =
            switch news {
            case .stopped(let cause):
                "inspect: recording has stopped (\(TerminalText.escaped(cause))); traffic goes on, and recording resumes when the store can be written\n"
            case .resumed(let gap): "inspect: recording again; \(line(gap))\n"
            }
        queue.async { try? Console.write(Array(text.utf8), to: STDERR_FILENO) }
    }
}
