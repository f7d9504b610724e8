/// The same hours on some weekdays, as a seed writes them.
struct WeekEntry: Sendable {
    /// Monday is 0, Sunday 6.
    let days: [Int]
    let start: Int
    let end: Int
    /// How many midnights lie between start and end.
    let nights: Int

    static let everyDay = Array(0...6)
    static let weekdays = Array(0...4)
    static let weekend = [5, 6]

    /// Hours from `HHMM` to `HHMM`, with seconds added to the end where midnight is written as the last second.
    init(_ days: [Int], _ start: Int, _ end: Int, nights: Int = 0, endSecond: Int = 0) {
        self.days = days
        self.start = (start / 100) * 3600 + (start % 100) * 60
        self.end = (end / 100) * 3600 + (end % 100) * 60 + endSecond
        self.nights = nights
    }
}
