import Traffic

/// Differences as lines of text; where many elements of a list differ in the same member, a few stand for all.
enum DifferenceLines {
    /// Differences of a kind that are written out before the rest is counted.
    private static let shownCount = 3

    /// What differences of a kind have in common.
    private struct Kind: Hashable {
        let side: MessageSide
        let path: String
        let change: Difference.Change
    }

    /// A line for each difference; further differences of a kind share one.
    static func lines(_ differences: [Difference]) -> [String] {
        var counts: [Kind: Int] = [:]
        for one in differences { if let kind = kind(one) { counts[kind, default: 0] += 1 } }
        var told: [Kind: Int] = [:]
        var lines: [String] = []
        for one in differences {
            guard let kind = kind(one), let count = counts[kind], count > shownCount + 1 else {
                lines.append(sentence(one))
                continue
            }
            told[kind, default: 0] += 1
            switch told[kind, default: 0] {
            case ...shownCount: lines.append(sentence(one))
            case shownCount + 1:
                lines.append(
                    "\(kind.change.rawValue)  \(kind.side.rawValue) json \(kind.path)  in \(count - shownCount) more"
                )
            default: break
            }
        }
        return lines
    }

    /// `changed  response json $.open_times[0].end_time  "21:00:00" → "20:00:00"`.
    private static func sentence(_ difference: Difference) -> String {
        let values: String
        switch (difference.left, difference.right) {
        case (let left?, let right?): values = "  \(left) → \(right)"
        case (let value?, nil), (nil, let value?): values = value.isEmpty ? "" : "  \(value)"
        case (nil, nil): values = ""
        }
        return "\(difference.change.rawValue)  \(difference.location)\(values)"
    }

    private static func kind(_ difference: Difference) -> Kind? {
        difference.general.map { Kind(side: difference.side, path: $0, change: difference.change) }
    }
}
