import Traffic

/// The exchanges that assertions are about: as much of them as is measured, sixteen bytes each.
struct AssertionSubject {
    /// The numbers of all, oldest first.
    private(set) var ids: [ExchangeID] = []
    /// Microseconds of those that are timed, with their numbers.
    private(set) var times: [(time: Int64, id: ExchangeID)] = []

    /// Takes note of one.
    mutating func add(_ row: ExchangeSummary) {
        ids.append(row.id)
        if let time = row.duration, row.outcome != .tunnelled, row.version != .webSocket {
            times.append((time: time, id: row.id))
        }
    }
}

/// Something that is expected of the matching exchanges.
struct Assertion {
    /// What is measured.
    enum Measure: Equatable {
        case count
        /// The time that so many in a hundred stay within; 100 is the slowest.
        case percentile(Int)
    }

    /// Whether an assertion held, and for which exchanges it did not.
    struct Outcome {
        var name: String
        var expectation: String
        /// What was measured, as a person reads it.
        var found: String
        var holds: Bool
        /// The first or the slowest of those that it fails for.
        var offending: [ExchangeID]
        var offendingCount: Int

        /// A line that says it.
        func line(_ style: Style) -> String {
            let mark = holds ? style.paint("ok  ", .green) : style.paint("FAIL", .red)
            return "\(mark)  \(sentence)"
        }

        /// What was expected and what is.
        var sentence: String { "\(name) \(expectation): \(found)" }
    }

    private let measure: Measure
    private let expectation: Expectation

    init(_ measure: Measure, _ expectation: Expectation) {
        self.measure = measure
        self.expectation = expectation
    }

    /// Holds it against the exchanges.
    func outcome(of subject: AssertionSubject, limit: Int) -> Outcome {
        switch measure {
        case .count:
            let holds = expectation.range.contains(Int64(subject.ids.count))
            return Outcome(
                name: "count",
                expectation: expectation.description,
                found: "\(subject.ids.count)",
                holds: holds,
                offending: holds ? [] : Array(subject.ids.prefix(limit)),
                offendingCount: holds ? 0 : subject.ids.count
            )
        case .percentile(let part):
            let sorted = subject.times.sorted { $0.time < $1.time }
            let rank = (sorted.count * part + 99) / 100
            // Where nothing was timed there is no time that could be too long.
            guard let found = sorted.indices.contains(rank - 1) ? sorted[rank - 1].time : nil else {
                return outcome(part, "no exchange was timed", holds: true, [])
            }
            let holds = expectation.range.contains(found)
            let outside = holds ? [] : sorted.reversed().filter { !expectation.range.contains($0.time) }
            var outcome = outcome(part, inspect.Measure.duration(found), holds: holds, outside.prefix(limit).map(\.id))
            outcome.offendingCount = outside.count
            return outcome
        }
    }

    private func outcome(_ part: Int, _ found: String, holds: Bool, _ offending: [ExchangeID]) -> Outcome {
        Outcome(
            name: part == 100 ? "slowest" : "p\(part)",
            expectation: expectation.description,
            found: found,
            holds: holds,
            offending: offending,
            offendingCount: offending.count
        )
    }
}
