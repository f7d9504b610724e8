/// All in which two exchanges differ, and what was not looked at.
package struct CaptureDifference: Sendable {
    /// Differences that are kept; those beyond are counted.
    static let limit = 500

    package private(set) var differences: [Difference] = []
    /// How many more there are.
    package private(set) var moreCount = 0
    /// What was passed over as noise, as in `--ignore`, and how often.
    package private(set) var ignored: [String: Int] = [:]
    /// What a reader should know of the comparison: what was cut, what was compared in another way.
    package private(set) var notes: [String] = []

    package init() {}

    package var isEqual: Bool { differences.isEmpty }
    /// Differences, kept or not.
    package var count: Int { differences.count + moreCount }

    /// Whether those that come are counted only, and need not be made.
    var isFull: Bool { differences.count >= CaptureDifference.limit }

    /// Counts a difference that was not made.
    mutating func addUnmade() { moreCount += 1 }

    /// Keeps a difference, or counts it.
    mutating func add(_ difference: Difference) {
        if isFull { addUnmade() } else { differences.append(difference) }
    }

    /// Counts something that was passed over.
    mutating func ignore(_ what: String) { ignored[what, default: 0] += 1 }

    /// Adds a sentence about the comparison.
    mutating func note(_ sentence: String) { notes.append(sentence) }
}
