import Traffic

/// The work that may be spent on checking one exchange against a document, all parts together.
///
/// A form has thousands of fields, and a parameter thousands of elements: one amount for each would be one without a bound. A body brings more with it,
/// as much as it is long.
struct SchemaBudget {
    /// How much more for each value of a body.
    private static let workOfValue = 20
    /// What is enough for the longest bodies: some 15 seconds.
    private static let mostWork = 50_000_000

    /// What there is for an exchange at least, and again for each of its bodies.
    private let least: Int
    /// What may be done yet; below 0 where the last step was longer than what there was.
    var left: Int
    /// What bodies may bring yet.
    private var unclaimed: Int

    init(least: Int = SchemaJudge.leastWork) {
        (self.least, left, unclaimed) = (least, least, SchemaBudget.mostWork - least)
    }

    /// Whether all work is spent.
    var isSpent: Bool { left <= 0 }

    /// Adds the work for a body of this many values.
    mutating func makeRoom(values: Int) {
        let most = SchemaBudget.mostWork / SchemaBudget.workOfValue
        let more = min(unclaimed, least + min(values, most) * SchemaBudget.workOfValue)
        unclaimed -= more
        left += more
    }

    /// Adds the work for a body that was read.
    mutating func makeRoom(for value: JSONValue) {
        makeRoom(values: value.count(upTo: SchemaBudget.mostWork / SchemaBudget.workOfValue))
    }
}

extension JSONValue {
    /// The count of the value and the values in it, long texts as several; stops counting at `most`.
    fileprivate func count(upTo most: Int) -> Int {
        var count = 1
        switch self {
        case .array(let elements):
            for element in elements where count < most { count += element.count(upTo: most - count) }
        case .object(let members):
            for member in members where count < most { count += member.value.count(upTo: most - count) }
        case .string(let text): count += text.utf8.count / 32
        default: break
        }
        return count
    }
}
