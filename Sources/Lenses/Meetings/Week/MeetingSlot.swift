/// The meetings of a day that start at the same time; the app shows one such group at a time.
package struct MeetingSlot: Sendable {
    /// The viewer's clock: hours times 100 plus minutes.
    package let clock: Int
    package let entries: [MeetingEntry]

    /// The slot that is nearest to a time of day by minutes: the earlier of two as near, the last for a time past it.
    ///
    /// - Parameters:
    ///   - clock: hours times 100 plus minutes.
    ///   - clocks: the starts of a day's slots, ascending.
    /// - Returns: the index in them; `nil` where there are none.
    package static func nearest(to clock: Int, among clocks: [Int]) -> Int? {
        clocks.indices.min { (distance(clocks[$0], clock), $0) < (distance(clocks[$1], clock), $1) }
    }

    /// The slot that the app takes to be nearest to a time of day.
    ///
    /// The app measures distance in hours times 100 plus minutes, so an hour is 100 long, and goes to the first slot for a time past the last.
    package static func nearestInApp(to clock: Int, among clocks: [Int]) -> Int? {
        guard !clocks.isEmpty else { return nil }
        guard let following = clocks.firstIndex(where: { $0 >= clock }) else { return 0 }
        guard following > 0 else { return 0 }
        return clock - clocks[following - 1] <= clocks[following] - clock ? following - 1 : following
    }

    /// How far into a day's slots one of them is, 0 to 1: `(7 + 1) / 24`.
    package static func thermometer(at index: Int, of count: Int) -> Double {
        count > 0 ? Double(index + 1) / Double(count) : 0
    }

    private static func distance(_ one: Int, _ other: Int) -> Int { abs(minutes(one) - minutes(other)) }

    private static func minutes(_ clock: Int) -> Int { clock / 100 * 60 + clock % 100 }
}
