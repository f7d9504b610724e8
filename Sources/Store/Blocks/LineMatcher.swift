import Traffic

/// Compares patterns with folded texts that lie end to end.
struct LineMatcher {
    /// The patterns, of which any one may match, each with whether folded texts can tell.
    private let patterns: [(pattern: TextPattern, isTold: Bool)]

    init(_ patterns: [TextPattern]) { self.patterns = patterns.map { ($0, $0.isBlindToFolding) } }

    /// The verdict for each text: yes, no, or open where only the text as it was sent can tell.
    ///
    /// - Parameters:
    ///   - bytes: the texts folded, each followed by a mark, with marks between those of one exchange.
    ///   - ends: where each text ends, its mark included.
    /// - Returns: raw values of verdicts.
    func verdicts(_ bytes: [UInt8], _ ends: [UInt32]) -> [UInt8] {
        var verdicts = [UInt8](repeating: ConditionColumn.Verdict.no.rawValue, count: ends.count)
        for (pattern, isTold) in patterns {
            switch pattern.need {
            case .exactly(let needle): each(holding: needle, bytes, ends) { number, _ in verdicts[number] = 2 }
            case .atLeast(let needle):
                each(holding: needle, bytes, ends) { number, text in
                    guard verdicts[number] < 2 else { return }
                    let verdict = isTold ? LineMatcher.verdict(pattern, text) : .open
                    verdicts[number] = max(verdicts[number], verdict.rawValue)
                }
            }
        }
        return verdicts
    }

    /// The verdict on a folded text for a pattern that is no plain text.
    private static func verdict(_ pattern: TextPattern, _ text: UnsafeRawBufferPointer) -> ConditionColumn.Verdict {
        var isPlain = true
        var start = 0
        while start <= text.count {
            var end = start
            var highest: UInt8 = 0
            while end < text.count, text[end] != LineColumn.mark {
                highest |= text[end]
                end += 1
            }
            if highest < 0x80 {
                if pattern.matches(plain: UnsafeRawBufferPointer(rebasing: text[start..<end])) { return .yes }
            } else {
                isPlain = false
            }
            start = end + 1
        }
        return isPlain ? .no : .open
    }

    /// Visits the texts that hold a needle; all texts where the needle is empty.
    private func each(
        holding needle: [UInt8],
        _ bytes: [UInt8],
        _ ends: [UInt32],
        _ visit: (Int, UnsafeRawBufferPointer) -> Void
    ) {
        let anchor = TextFold.anchor(of: needle)
        bytes.withUnsafeBytes { bytes in
            var number = 0
            var start = 0
            while number < ends.count, let place = TextFold.place(of: needle, anchor: anchor, in: bytes, from: start) {
                while number < ends.count, Int(ends[number]) <= place { number += 1 }
                guard number < ends.count else { return }
                let first = number == 0 ? 0 : Int(ends[number - 1])
                visit(number, UnsafeRawBufferPointer(rebasing: bytes[first..<Int(ends[number]) - 1]))
                start = Int(ends[number])
                number += 1
            }
        }
    }
}
