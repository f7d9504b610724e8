/// The differences of two exchanges, and what was ignored.
package struct CaptureDifference: Sendable {
    /// Differences that are kept; further ones are counted.
    static let limit = 500

    package private(set) var differences: [Difference] = []
    /// How many differences there are beyond the kept ones.
    package private(set) var moreCount = 0
    /// What was ignored as noise, in the words of `DiffNoise.init(declared:)`, and how often.
    package private(set) var ignored: [String: Int] = [:]
    /// Sentences about the comparison: what was cut, and what was compared in another way.
    package private(set) var notes: [String] = []

    package init() {}

    package var isEqual: Bool { differences.isEmpty }
    /// How many differences there are, kept or not.
    package var count: Int { differences.count + moreCount }

    /// Whether further differences are only counted and need not be made.
    var isFull: Bool { differences.count >= CaptureDifference.limit }

    /// Counts a difference that was not made.
    mutating func addUnmade() { moreCount += 1 }

    /// Keeps a difference, or counts it.
    mutating func add(_ difference: Difference) {
        if isFull { addUnmade() } else { differences.append(difference) }
    }

    /// Counts something that was ignored.
    mutating func ignore(_ what: String) { ignored[what, default: 0] += 1 }

    /// Adds a sentence about the comparison.
    mutating func note(_ sentence: String) { notes.append(sentence) }
}
