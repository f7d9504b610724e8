import Testing

@testable import Store
@testable import inspect

/// What is said of gaps in the record.
@Suite(.timeLimit(.minutes(15)))
struct GapNoticeTests {
    @Test(
        "A gap of each kind is told as what it is",
        arguments: [
            (2, "the disk is full", "2 exchanges that passed", "could not be recorded: the disk is full"),
            (1, CaptureGap.pauseCause, "1 exchange that passed", "was not recorded: recording was paused"),
            (1, CaptureGap.lateCause, "1 exchange reached its client before the record", ""),
            (3, CaptureGap.lateCause, "3 exchanges reached their clients before the record", ""),
        ]
    )
    func lines(count: Int, cause: String, begin: String, end: String) {
        let (from, to) = (LocalTime.text(microseconds: 0), LocalTime.text(microseconds: 5_000_000))
        let line = GapNotice.line(CaptureGap(count: count, from: 0, to: 5_000_000, cause: cause))
        #expect(line == "\(begin) from \(from) to \(to)" + (end.isEmpty ? "" : " \(end)"))
    }
}
