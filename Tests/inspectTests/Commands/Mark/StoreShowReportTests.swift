import Testing

@testable import Store
@testable import inspect

/// A store's health in lines.
@Suite(.timeLimit(.minutes(15)))
struct StoreShowReportTests {
    private static func text(count: Int, cause: String = "the disk is full") -> String {
        var report = StoreReport(
            path: "captures.db",
            version: 1,
            bytes: 4_096,
            logBytes: 0,
            freeBytes: 0,
            total: count,
            outcomes: [],
            blocks: count,
            indexed: 0
        )
        report.gaps = [CaptureGap(count: count, from: 0, to: 0, cause: cause)]
        report.sessions = [StoreSession(name: "monday", started: 0, count: count)]
        return StoreShowReport(report: report).lines(in: .plain).joined(separator: "\n")
    }

    @Test("Every line that counts has the noun for one, and that for many")
    func counts() {
        func gap(_ missing: String, _ verb: String) -> String {
            "\(missing) from \(LocalTime.full(microseconds: 0)) \(verb) not recorded: the disk is full"
        }
        let one = Self.text(count: 1)
        for words in ["1 block, 1 exchange behind", "monday, 1 exchange, began", gap("1 exchange", "was")] {
            #expect(one.contains(words), "\(one)")
        }
        let many = Self.text(count: 2)
        for words in ["2 blocks, 2 exchanges behind", "monday, 2 exchanges, began", gap("2 exchanges", "were")] {
            #expect(many.contains(words), "\(many)")
        }
    }

    @Test("What was recorded late is not called missing")
    func late() {
        func line(_ words: String) -> String {
            "Late       \(words) before the record, from \(LocalTime.full(microseconds: 0)) on"
        }
        let (one, many) = (
            Self.text(count: 1, cause: CaptureGap.lateCause), Self.text(count: 2, cause: CaptureGap.lateCause)
        )
        #expect(one.contains(line("1 exchange reached its client")), "\(one)")
        #expect(many.contains(line("2 exchanges reached their clients")), "\(many)")
        #expect(!(one + many).contains("Gap") && !(one + many).contains("not recorded"))
    }
}
