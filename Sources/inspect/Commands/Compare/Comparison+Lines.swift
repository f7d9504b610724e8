import Lenses
import Traffic

extension Comparison {
    /// Sentences of a lens that are printed, at most; JSON has all.
    private static var wordsLimit: Int { 25 }

    /// Each difference on a line of its own, then the problem and the notes of the comparison.
    var lines: [String] {
        var lines = Array(changes.prefix(Comparison.wordsLimit))
        if changes.count > lines.count { lines.append("and \(changes.count - lines.count) more changes") }
        lines += DifferenceLines.lines(difference?.differences ?? [])
        if let more = difference?.moreCount, more > 0 { lines.append("and \(more) more differences") }
        if let problem { lines.append(problem) }
        return lines + (difference?.notes ?? []) + notes
    }
}
