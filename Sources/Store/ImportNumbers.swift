import Traffic

/// The numbers that the exchanges of one import get, and which were theirs in the archive, so that a replay finds its original.
struct ImportNumbers: Sendable {
    /// Numbers of the archive that follow one another and were given numbers that do so too.
    private struct Run: Sendable {
        var archived: ExchangeID
        var given: ExchangeID
        var count: Int64
    }

    /// The greatest number that is taken over from an archive.
    private static let greatest: ExchangeID = 100_000_000
    /// The longest stretch of numbers that an archive may leave out.
    private static let greatestHole: ExchangeID = 16_000_000
    /// Runs that are remembered, and as many numbers out of their order; the originals of replays beyond are not found.
    private static let memoryLimit = 100_000

    private let keeps: Bool
    /// Whether every exchange so far has the number that it had.
    private var isFaithful = true
    /// The numbers that came in ascending order.
    private var runs: [Run] = []
    /// The greatest number that came.
    private var greatestArchived: ExchangeID = 0
    /// What those were given that came after a greater one, or again.
    private var others: [ExchangeID: ExchangeID] = [:]

    /// - Parameter keeps: whether the archive's numbers are taken over where they ascend.
    init(keeps: Bool) { self.keeps = keeps }

    /// The number of the next exchange.
    mutating func give(_ archived: ExchangeID, next: ExchangeID) -> ExchangeID {
        let isKept =
            keeps && archived >= next && archived <= ImportNumbers.greatest
            && archived - next <= ImportNumbers.greatestHole
        let given = isKept ? archived : next
        isFaithful = isFaithful && given == archived
        guard archived > 0 else { return given }
        guard archived > greatestArchived else {
            if others.count < ImportNumbers.memoryLimit || others[archived] != nil { others[archived] = given }
            return given
        }
        greatestArchived = archived
        if let last = runs.indices.last, runs[last].archived &+ runs[last].count == archived,
            runs[last].given + runs[last].count == given
        {
            runs[last].count += 1
        } else if runs.count < ImportNumbers.memoryLimit {
            runs.append(Run(archived: archived, given: given, count: 1))
        }
        return given
    }

    /// The number of a replay's original; `nil` when it cannot be named.
    ///
    /// One that is not in the archive, as where a filter left it out, keeps its number where all do, since nothing else can have it.
    func original(_ archived: ExchangeID) -> ExchangeID? {
        id(of: archived) ?? (keeps && isFaithful && (1...ImportNumbers.greatest).contains(archived) ? archived : nil)
    }

    /// The number that an exchange of the archive was given; `nil` when it has not come.
    private func id(of archived: ExchangeID) -> ExchangeID? {
        if let other = others[archived] { return other }
        // The last run that does not begin after it.
        var (first, end) = (0, runs.count)
        while first < end {
            let middle = (first + end) / 2
            if runs[middle].archived <= archived { first = middle + 1 } else { end = middle }
        }
        guard first > 0 else { return nil }
        let distance = archived - runs[first - 1].archived
        return distance < runs[first - 1].count ? runs[first - 1].given + distance : nil
    }
}
