import Traffic

/// Rows of a resource that have no pin in the app's map, and why.
package struct PinlessRows: Sendable, Equatable {
    /// Why rows have no pin.
    package enum Reason: String, Sendable, CaseIterable {
        /// The app's map reads points alone (C3).
        case noPoint = "no point"
        case noGeometry = "no geometry"
        case unreadable
        /// No captured page brought the rows.
        case notAskedFor = "not asked for"
    }

    package let reason: Reason
    /// The rows' numbers in the resource, from 1 on, in order.
    package private(set) var rows: [ClosedRange<Int>] = []

    init(_ reason: Reason) { self.reason = reason }

    /// The count of the rows.
    package var count: Int { rows.reduce(0) { $0 + $1.count } }

    /// Adds rows that come after all others.
    mutating func add(_ more: ClosedRange<Int>) {
        guard let last = rows.last, last.upperBound + 1 == more.lowerBound else { return rows.append(more) }
        rows[rows.count - 1] = last.lowerBound...more.upperBound
    }

    /// `3 are no points (C3): rows 4, 9–10`.
    package var sentence: String {
        let what =
            switch reason {
            case .noPoint: count.counted("is no point", "are no points") + " (C3)"
            case .noGeometry: count.counted("has no geometry", "have no geometry")
            case .unreadable: count.counted("is unreadable", "are unreadable")
            case .notAskedFor: count.counted("was not asked for", "were not asked for")
            }
        let numbers = rows.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)–\($0.upperBound)" }
        return "\(what): \(count == 1 ? "row" : "rows") \(numbers.joined(separator: ", "))"
    }
}

extension RowGeometry {
    /// Why a row of this geometry has no pin; `nil` where it has one.
    var pinless: PinlessRows.Reason? {
        switch self {
        case .missing: .noGeometry
        case .unreadable: .unreadable
        case .shape(let shape): shape == .point ? nil : .noPoint
        }
    }
}
