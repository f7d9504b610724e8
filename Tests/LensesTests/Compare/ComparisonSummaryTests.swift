import Testing
import Traffic

@testable import Lenses

@Suite("The summary of a run of comparisons", .timeLimit(.minutes(15)))
struct ComparisonSummaryTests {
    private static func text(_ summary: ComparisonSummary) -> String {
        var json = JSONWriter()
        json.object { json in summary.write(to: &json) }
        return String(decoding: json.take(), as: UTF8.self)
    }

    /// A comparison that could not be made.
    private static func failed() -> Comparison {
        var comparison = Comparison(left: nil, right: nil)
        comparison.problem = "it was not sent"
        return comparison
    }

    @Test("Nothing compared is equal, and every count is written")
    func empty() {
        let summary = ComparisonSummary()
        #expect(summary.isEqual && summary.total == 0)
        #expect(
            Self.text(summary)
                == #"{"equal":true,"same":0,"changed":0,"added":0,"removed":0,"failed":0,"leftOut":{},"heldBack":{},"learnt":{},"ignored":{}}"#
        )
    }

    @Test("Verdicts, reasons, credentials and noise are counted, and written in the order of their names")
    func counts() {
        var summary = ComparisonSummary()
        var same = Comparison(left: nil, right: nil)
        same.difference = CaptureDifference()
        same.learnt = ["json:$.a", "header:etag"]
        summary.add(same)
        #expect(summary.isEqual)
        same.heldBack = ["field Cookie"]
        summary.add(same)
        summary.add(Self.failed())
        summary.add(Comparison(left: nil, right: nil))
        summary.leaveOut(for: "it is a tunnel")
        summary.leaveOut(for: "it is a tunnel")
        #expect(!summary.isEqual && summary.total == 4 && summary.counts == [.same: 2, .failed: 1, .added: 1])
        #expect(
            Self.text(summary)
                == #"{"equal":false,"same":2,"changed":0,"added":1,"removed":0,"failed":1,"#
                + #""leftOut":{"it is a tunnel":2},"heldBack":{"field Cookie":1},"learnt":{"header:etag":2,"json:$.a":2},"ignored":{}}"#
        )
    }
}
