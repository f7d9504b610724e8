/// The rate at which a dataset promises to be renewed.
package enum RefreshRate: Sendable, Equatable {
    /// Every so many seconds; 0 means all the time.
    case every(Double)
    /// Now and then, with no promise: "As available".
    case asAvailable
    /// Not any more: "Will not be Refreshed".
    case never

    private static let day = 86_400.0
    private static let wordsLimitBytes = 200

    /// Reads the portal's words, whatever their case, blanks and hyphens; `nil` for words that are not known.
    package init?(_ words: String) {
        // What is left may join what was apart, and would be slow to look up; no words that are known are so long.
        guard words.utf8.count <= RefreshRate.wordsLimitBytes else { return nil }
        let letters = words.lowercased().filter { $0.isLetter || $0.isNumber }
        guard let rate = RefreshRate.known[letters] else { return nil }
        self = rate
    }

    /// Seconds between two renewals; `nil` without a promise.
    var period: Double? { if case .every(let seconds) = self { seconds } else { nil } }

    /// How late a renewal may be before the data counts as stale: a tenth of its period, a day at least.
    static func grace(of period: Double) -> Double { max(day, period / 10) }

    private static let known: [String: RefreshRate] = {
        let days: [(Double, [String])] = [
            (0, ["realtime", "live", "continuous", "continuously", "continual"]), (1 / 24, ["hourly"]),
            (1, ["daily", "everyday"]), (3, ["weekdays"]), (7, ["weekly", "everyweek"]),
            (3.5, ["twiceaweek", "semiweekly"]), (14, ["biweekly", "fortnightly", "everytwoweeks"]),
            (16, ["twiceamonth", "semimonthly"]), (31, ["monthly", "everymonth"]),
            (62, ["bimonthly", "everytwomonths"]),
            (92, ["quarterly", "everyquarter"]), (123, ["threetimesayear"]),
            (184, ["semiannually", "semiannual", "biannually", "biannual", "twiceayear", "halfyearly"]),
            (366, ["annually", "annual", "yearly", "everyyear"]),
            (731, ["biennially", "biennial", "every2years", "everytwoyears"]),
            (1461, ["every4years", "everyfouryears"]),
            (1827, ["every5years", "everyfiveyears"]),
        ]
        var rates = Dictionary(
            days.flatMap { count, words in words.map { ($0, RefreshRate.every(count * day)) } },
            uniquingKeysWith: { first, _ in first }
        )
        for word in ["asavailable", "asneeded", "asrequired", "irregular", "irregularly", "ondemand", "periodically"] {
            rates[word] = .asAvailable
        }
        for word in ["willnotberefreshed", "never", "static", "notupdated", "onetime", "discontinued", "retired"] {
            rates[word] = .never
        }
        return rates
    }()
}
