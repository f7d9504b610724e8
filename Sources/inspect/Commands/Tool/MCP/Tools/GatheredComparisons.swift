import Lenses
import Traffic

/// The comparisons of an agent's replay, gathered for one result.
final class GatheredComparisons: ComparisonSink {
    /// Characters of a lens's sentence that are kept.
    private static let sentenceLimit = 1_024

    private(set) var comparisons: [Comparison] = []
    private(set) var summary = ComparisonSummary()
    /// The proxy's own count; `nil` until it came.
    private(set) var sent: ReplayLine.Summary?

    private let limitBytes: Int
    private var bytes = 0

    /// - Parameter limitBytes: bytes of JSON that all comparisons together may take.
    init(limitBytes: Int = 64 << 20) { self.limitBytes = limitBytes }

    /// Keeps a comparison, with the changes that the lens tells of it cut to those that the command line prints.
    ///
    /// - Throws: `InputError` where all together would be longer than the limit.
    func add(_ comparison: Comparison) throws {
        var comparison = comparison
        comparison.changes = comparison.shownChanges.map { sentence in
            let kept = sentence.prefix(GatheredComparisons.sentenceLimit)
            return kept.endIndex == sentence.endIndex ? sentence : "\(kept)…"
        }
        bytes += JSONWriter.bytes { comparison.write(to: &$0) }.count
        guard bytes <= limitBytes else {
            throw InputError("that is more than \(limitBytes >> 20) MiB; select less of it")
        }
        comparisons.append(comparison)
        summary.add(comparison)
    }

    func leftOut(_ reason: String) { summary.leaveOut(for: reason) }
    func sent(_ summary: ReplayLine.Summary) { sent = summary }
}
