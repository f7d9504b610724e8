import Foundation
import Logging
import Store
import Traffic

/// Says in one line what passed and could not be recorded.
enum GapNotice {
    /// `12 exchanges that passed from 2026-11-20 14:02:03 to 2026-11-20 14:02:09 could not be recorded: database or disk is full`.
    static func line(_ gap: CaptureGap) -> String {
        let what = gap.count.counted("exchange")
        if gap.kind == .pause, gap.count == 0 {
            return "recording was paused from \(LocalTime.text(microseconds: gap.from)) on; nothing passed meanwhile"
        }
        let (from, to) = (LocalTime.text(microseconds: gap.from), LocalTime.text(microseconds: gap.to))
        let not = gap.kind == .pause ? "were not" : "could not be"
        return "\(what) that passed from \(from) to \(to) \(not) recorded: \(VisibleText.line(gap.cause))"
    }

    /// Logs the news for the people who watch a running instance.
    static func log(_ news: RecordingNews, to logger: Logger) {
        switch news {
        case .stopped(let cause):
            logger.error(
                "recording has stopped (\(cause)); traffic goes on, and recording resumes when the store can be written"
            )
        case .resumed(let gap): logger.warning("recording again; \(line(gap))")
        }
    }
}
