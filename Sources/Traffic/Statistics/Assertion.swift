/// What must hold of the exchanges that a filter selects: how many they are, or how long they take.
package struct Assertion: Hashable, Sendable {
    /// What is measured.
    package enum Measure: Hashable, Sendable {
        /// How many exchanges there are.
        case count
        /// The time at or below which this part of them, 1 to 100, was answered.
        case percentile(Int)
    }

    package let measure: Measure
    /// What it may be: exchanges, or microseconds.
    package let range: ClosedRange<Int64>
    /// As it was asked for, for messages: `count >=1`, `p95 <300ms`.
    package let name: String

    /// Reads what is wanted, written as the values of a query: `0`, `>=1`, `2..5`; `<300ms`.
    ///
    /// - Throws: `FilterError` naming the option and what was expected.
    package init(_ measure: Measure, _ text: String, option: String) throws(FilterError) {
        let isCount = measure == .count
        do {
            range = try Quantity.range(text.trimmingBlanks, isCount ? .plain : .time)
        } catch {
            throw FilterError("\(option) \(text): \(error.sentence)")
        }
        self.measure = measure
        name = "\(option.drop { $0 == "-" }) \(text.trimmingBlanks)"
    }

    /// What was measured; `nil` for a time where nothing was timed.
    package func value(of figures: TrafficFigures) -> Int64? {
        switch measure {
        case .count: Int64(figures.count)
        case .percentile(let part): figures.percentiles([part])?.first
        }
    }

    /// Whether it holds; what was never timed is not fast.
    package func holds(for figures: TrafficFigures) -> Bool {
        value(of: figures).map(range.contains) ?? false
    }

    /// Whether an exchange among the selected ones speaks against it: any where there are too many, and for times the ones that took another.
    package func isOffended(by row: ExchangeSummary, of figures: TrafficFigures) -> Bool {
        switch measure {
        case .count: return Int64(figures.count) > range.upperBound
        case .percentile:
            guard let duration = row.duration, TrafficFigures.isTimed(row) else { return false }
            return !range.contains(duration)
        }
    }
}
