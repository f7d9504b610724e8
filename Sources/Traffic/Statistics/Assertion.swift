/// A condition on the exchanges that a filter selects: how many there are, or how long they take.
package struct Assertion: Hashable, Sendable {
    /// What is measured.
    package enum Measure: Hashable, Sendable {
        /// How many exchanges there are.
        case count
        /// The time within which so many of a hundred exchanges, 1 to 100, were answered.
        case percentile(Int)
    }

    package let measure: Measure
    /// The allowed values: exchanges, or microseconds.
    package let range: ClosedRange<Int64>
    /// The condition as it was written, for messages: `count >=1`, `p95 <300ms`.
    package let name: String

    /// Reads the allowed values as a query writes them: `0`, `>=1`, `2..5`; `<300ms`.
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

    /// The measured value; `nil` for a time where nothing was timed.
    package func value(of figures: TrafficFigures) -> Int64? {
        switch measure {
        case .count: Int64(figures.count)
        case .percentile(let part): figures.percentiles([part])?.first
        }
    }

    /// Whether the condition holds; without any time, a condition on times does not.
    package func holds(for figures: TrafficFigures) -> Bool {
        value(of: figures).map(range.contains) ?? false
    }

    /// Whether a selected exchange speaks against it: every one where there are too many, and one whose time is not allowed.
    package func isOffended(by row: ExchangeSummary, of figures: TrafficFigures) -> Bool {
        switch measure {
        case .count: return Int64(figures.count) > range.upperBound
        case .percentile:
            guard let duration = row.duration, TrafficFigures.isTimed(row) else { return false }
            return !range.contains(duration)
        }
    }
}
