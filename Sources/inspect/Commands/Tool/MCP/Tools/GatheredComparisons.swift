import Lenses
import Traffic

/// The comparisons of an agent's replay, gathered for one result.
final class GatheredComparisons: ComparisonSink {
    /// Characters of a lens's sentence that are kept.
    private static let sentenceLimit = 1_024

    /// The first comparisons, as far as the limit goes, as values of JSON.
    private(set) var shown: [JSONValue] = []
    private(set) var summary = ComparisonSummary()
    /// The proxy's own count; `nil` until it came.
    private(set) var sent: ReplayLine.Summary?
    /// How many comparisons are counted and not kept.
    private var leftOutCount = 0

    private let limitBytes: Int
    private var bytes = 0

    /// - Parameter limitBytes: bytes of JSON that all kept comparisons together may take.
    init(limitBytes: Int = 64 << 20) { self.limitBytes = limitBytes }

    /// Counts a comparison, and keeps it with the changes that the lens tells of it cut to those that the command line prints.
    ///
    /// The requests are sent, so nothing is refused: past the limit comparisons are only counted.
    func add(_ comparison: Comparison) throws {
        summary.add(comparison)
        guard leftOutCount == 0 else {
            leftOutCount += 1
            return
        }
        var comparison = comparison
        comparison.changes = comparison.shownChanges.map { sentence in
            let kept = sentence.prefix(GatheredComparisons.sentenceLimit)
            return kept.endIndex == sentence.endIndex ? sentence : "\(kept)…"
        }
        let json = JSONWriter.bytes { comparison.write(to: &$0) }
        bytes += json.count
        guard bytes <= limitBytes else {
            leftOutCount = 1
            return
        }
        shown.append(try JSONReader.value(json))
    }

    func leftOut(_ reason: String) { summary.leaveOut(for: reason) }
    func sent(_ summary: ReplayLine.Summary) { sent = summary }

    /// What is counted and not shown, as a sentence; `nil` where all is shown.
    var note: String? {
        guard leftOutCount > 0 else { return nil }
        let what = leftOutCount.counted("more comparison is", "more comparisons are")
        let why = "all together are longer than \(limitBytes >> 20) MiB"
        return "\(what) counted and not shown: \(why); filter is:replay lists the new exchanges"
    }
}
