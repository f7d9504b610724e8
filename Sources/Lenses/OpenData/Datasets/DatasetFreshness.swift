import Traffic

/// Whether a dataset's content is as new as it promises.
package enum DatasetFreshness: Sendable, Equatable {
    case fresh
    /// A renewal is overdue by these seconds, beyond the grace.
    case stale(late: Double)
    /// The dataset promises no renewal.
    case unscheduled
    /// The dataset is kept, and renewed no more.
    case retired
    /// The rate or the time of the last renewal is missing, or in unknown words.
    case unknown

    /// The freshness in one word.
    package var word: String {
        switch self {
        case .fresh: "fresh"
        case .stale: "stale"
        case .unscheduled: "unscheduled"
        case .retired: "retired"
        case .unknown: "unknown"
        }
    }

    /// The seconds that a renewal is overdue; `nil` where it is not.
    var late: Double? { if case .stale(let late) = self { late } else { nil } }

    var tone: LensText.Tone {
        switch self {
        case .fresh: .good
        case .stale: .bad
        case .retired: .warning
        case .unscheduled, .unknown: .faint
        }
    }

    /// The freshness in a sentence, for a card.
    package var sentence: String {
        switch self {
        case .fresh: "fresh"
        case .stale(let late): "stale: overdue by \(DatasetFreshness.age(late))"
        case .unscheduled: "promises no renewal"
        case .retired: "retired: renewed no more"
        case .unknown: "unknown"
        }
    }

    /// A stretch of time by its biggest unit: `3 hours`, `12 days`, `5 months`, `2 years`.
    package static func age(_ seconds: Double) -> String {
        guard seconds.isFinite else { return "unknown" }
        let hours = max(0, seconds / 3600)
        let units: [(Double, String)] = [(8_766, "year"), (730.5, "month"), (24, "day"), (1, "hour")]
        // Months and years begin at two, so that 40 days are not rounded to one month.
        for (length, name) in units where hours >= length * (length > 24 ? 2 : 1) {
            return Int(min(hours / length, 1e6)).counted(name)
        }
        return Int(hours * 60).counted("minute")
    }
}
