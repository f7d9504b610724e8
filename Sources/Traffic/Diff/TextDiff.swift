/// Compares texts line by line.
enum TextDiff {
    /// Adds the lines that differ.
    static func compare(_ left: String, _ right: String, _ side: MessageSide, _ found: inout CaptureDifference) {
        let (one, other) = (lines(left), lines(right))
        let before = found.count
        let digests = [one, other].map { $0.map { ExactText($0).hashValue } }
        for step in SequenceAlignment.steps(digests[0], digests[1]) {
            switch step {
            case .same: continue
            case .other(let index, let second):
                guard ExactText(one[index]) != ExactText(other[second]) else { continue }
                add(.changed, index, one[index], other[second], side, &found)
            case .removed(let index): add(.removed, index, one[index], nil, side, &found)
            case .added(let index): add(.added, index, nil, other[index], side, &found)
            }
        }
        if found.count == before, ExactText(left) != ExactText(right) {
            found.add(Difference(side, .body, "line ends", .changed))
        }
    }

    private static func add(
        _ change: Difference.Change,
        _ index: Int,
        _ left: Substring?,
        _ right: Substring?,
        _ side: MessageSide,
        _ found: inout CaptureDifference
    ) {
        guard !found.isFull else { return found.addUnmade() }
        var difference = Difference(side, .text, "line \(index + 1)", change)
        // A long line is shown from where it begins to differ.
        let common = left.flatMap { left in right.map { zip(left, $0).prefix { $0 == $1 }.count } } ?? 0
        let start = max(0, common - 20)
        func part(_ line: Substring) -> String {
            start > Difference.valueLimit / 2
                ? Difference.shortened("…" + line.dropFirst(start)) : Difference.shortened(line)
        }
        (difference.left, difference.right) = (left.map(part), right.map(part))
        found.add(difference)
    }

    private static func lines(_ text: String) -> [Substring] {
        text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    }
}
