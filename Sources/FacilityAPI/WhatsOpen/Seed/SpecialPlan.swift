/// A special schedule as a seed writes it: its dates in days from today, nil for none.
struct SpecialPlan: Sendable {
    let name: String
    let days: ClosedRange<Int>?
    var week: [WeekEntry] = []
    var isTwentyFourHours = false
    /// Seconds added to the first date: a fraction is one that the iPhone app cannot read.
    var startFraction = 0.0
}
