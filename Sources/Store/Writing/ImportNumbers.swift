import Traffic

/// The numbers that the exchanges of one import get, with their numbers in the archive, so that a replay finds its original.
struct ImportNumbers: Sendable {
    /// Numbers of the archive that follow one another, up or down, and the ascending numbers that they were given.
    private struct Run: Sendable {
        var archived: ExchangeID
        var given: ExchangeID
        var count: Int64
    }

    /// The greatest number that is taken over from an archive.
    private static let greatest: ExchangeID = 100_000_000
    /// The longest stretch of numbers that an archive may leave out.
    private static let greatestHole: ExchangeID = 16_000_000
    /// Runs that are remembered in each direction, and as many numbers in no order; originals of replays beyond are not found.
    private static let memoryLimit = 100_000

    private let keeps: Bool
    /// Whether every exchange so far kept its number.
    private var isFaithful = true
    /// The numbers that came in ascending order.
    private var runs: [Run] = []
    /// The greatest number that came.
    private var greatestArchived: ExchangeID = 0
    /// The numbers that came in descending order after a greater number, as in an archive that has the newest first.
    private var falling: [Run] = []
    /// The numbers given to exchanges that came in neither order, or again.
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
            remember(archived, behindGreater: given)
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

    private mutating func remember(_ archived: ExchangeID, behindGreater given: ExchangeID) {
        if let last = falling.indices.last {
            let next = falling[last].archived - falling[last].count
            if archived == next, given == falling[last].given + falling[last].count {
                return falling[last].count += 1
            }
            if archived <= next, falling.count < ImportNumbers.memoryLimit {
                return falling.append(Run(archived: archived, given: given, count: 1))
            }
        } else {
            return falling.append(Run(archived: archived, given: given, count: 1))
        }
        if others.count < ImportNumbers.memoryLimit || others[archived] != nil { others[archived] = given }
    }

    /// The number of a replay's original; `nil` when it cannot be named.
    ///
    /// An original that is not in the archive, say because a filter left it out, keeps its number where all exchanges do.
    func original(_ archived: ExchangeID) -> ExchangeID? {
        // An archive may say any number, and no exchange has one below 1.
        guard archived > 0 else { return nil }
        return id(of: archived) ?? (keeps && isFaithful && archived <= ImportNumbers.greatest ? archived : nil)
    }

    /// The number that an exchange of the archive was given; `nil` when it has not come.
    private func id(of archived: ExchangeID) -> ExchangeID? {
        if let other = others[archived] { return other }
        // Of two exchanges with one number, the later is meant.
        if let run = ImportNumbers.last(of: falling, where: { $0.archived >= archived }),
            run.archived - archived < run.count
        {
            return run.given + (run.archived - archived)
        }
        guard let run = ImportNumbers.last(of: runs, where: { $0.archived <= archived }),
            archived - run.archived < run.count
        else { return nil }
        return run.given + (archived - run.archived)
    }

    /// The last run for which a condition holds; those runs stand before all others.
    private static func last(of runs: [Run], where isMeant: (Run) -> Bool) -> Run? {
        var (first, end) = (0, runs.count)
        while first < end {
            let middle = (first + end) / 2
            if isMeant(runs[middle]) { first = middle + 1 } else { end = middle }
        }
        return first > 0 ? runs[first - 1] : nil
    }
}
