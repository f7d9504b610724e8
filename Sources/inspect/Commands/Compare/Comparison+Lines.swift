import Lenses
import Traffic

extension Comparison {
    /// Sentences of a lens that are shown, at most; the JSON of a command has all.
    private static var wordsLimit: Int { 25 }

    /// What changed in the words of the lens: the first sentences, and how many more there are.
    var shownChanges: [String] {
        let more = changes.count - Comparison.wordsLimit
        return Array(changes.prefix(Comparison.wordsLimit)) + (more > 0 ? ["and \(more) more changes"] : [])
    }

    /// Each difference on a line of its own, then the problem and the notes of the comparison.
    var lines: [String] {
        var lines = shownChanges + DifferenceLines.lines(difference?.differences ?? [])
        if let more = difference?.moreCount, more > 0 { lines.append("and \(more) more differences") }
        if let problem { lines.append(problem) }
        return lines + (difference?.notes ?? []) + notes
    }
}
