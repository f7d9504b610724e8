import Foundation
import Logging
import Store
import Traffic

/// Says in one line what passed and could not be recorded, or not in time.
enum GapNotice {
    /// `12 exchanges that passed from 2026-11-20 14:02:03 to 2026-11-20 14:02:09 could not be recorded: database or disk is full`.
    static func line(_ gap: CaptureGap) -> String {
        let what = gap.count.counted("exchange")
        if gap.kind == .pause, gap.count == 0 {
            return "recording was paused from \(LocalTime.text(microseconds: gap.from)) on; nothing passed meanwhile"
        }
        let (from, to) = (LocalTime.text(microseconds: gap.from), LocalTime.text(microseconds: gap.to))
        if gap.kind == .late { return "\(GapNotice.late(gap.count)) from \(from) to \(to)" }
        let not = gap.kind == .failure ? "could not be" : gap.count == 1 ? "was not" : "were not"
        return "\(what) that passed from \(from) to \(to) \(not) recorded: \(VisibleText.line(gap.cause))"
    }

    /// `12 exchanges reached their clients before the record`.
    static func late(_ count: Int) -> String {
        count.counted("exchange reached its client", "exchanges reached their clients") + " before the record"
    }

    /// Logs the news for the people who watch a running instance.
    static func log(_ news: RecordingNews, to logger: Logger) {
        switch news {
        case .stopped(let cause):
            logger.error(
                "recording has stopped (\(cause)); traffic goes on, and recording resumes when the store can be written"
            )
        case .resumed(let gap): logger.warning("recording again; \(line(gap))")
        case .setAside(let path):
            logger.warning(
                "the store cannot take over what was recorded while it was compacted; read it with --store \(ShellWord(path))"
            )
        }
    }
}
