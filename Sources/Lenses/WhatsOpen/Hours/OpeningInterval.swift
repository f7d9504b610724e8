package import Foundation

/// A time during which a facility is open: the first moment belongs to it, the last does not.
package struct OpeningInterval: Sendable, Equatable {
    package var start: Date
    package var end: Date

    package init(_ start: Date, _ end: Date) { (self.start, self.end) = (start, end) }

    /// Whether a moment is in the interval.
    package func contains(_ date: Date) -> Bool { start <= date && date < end }

    /// Sorts intervals, and joins those that touch, overlap or lie at most a minute apart: 23:59:59 and 23:59:00 mean midnight.
    static func merged(_ intervals: [OpeningInterval]) -> [OpeningInterval] {
        var merged: [OpeningInterval] = []
        for interval in intervals.sorted(by: { $0.start < $1.start }) {
            if let last = merged.last, interval.start.timeIntervalSince(last.end) <= 60 {
                merged[merged.count - 1].end = max(last.end, interval.end)
            } else {
                merged.append(interval)
            }
        }
        return merged
    }
}
