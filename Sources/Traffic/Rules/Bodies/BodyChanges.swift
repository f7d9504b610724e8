/// What was changed of a body, in words for people, each with how often.
struct BodyChanges: Hashable, Sendable {
    /// Parts that are named before the rest is counted.
    private static let namedLimit = 8
    /// Characters of a part.
    private static let lengthLimit = 60

    private var names: [String] = []
    private var counts: [String: Int] = [:]

    var isEmpty: Bool { names.isEmpty }

    /// Counts changes of one part.
    mutating func add(_ part: String, _ count: Int = 1) {
        guard count > 0 else { return }
        // Cut before it is escaped too: a name that a peer wrote may be a whole body.
        let limit = BodyChanges.lengthLimit
        let name = VisibleText.line(part.shortened(to: limit)).shortened(to: limit)
        if counts[name] == nil { names.append(name) }
        counts[name, default: 0] += count
    }

    /// Adds the changes of another edit.
    mutating func add(_ others: BodyChanges) {
        for name in others.names { add(name, others.counts[name] ?? 0) }
    }

    /// All changes on a line: `$.items[*].role ×20, $.ssn removed`; empty when nothing changed.
    var text: String {
        let shown = names.prefix(BodyChanges.namedLimit).map { name in
            counts[name].map { $0 > 1 ? "\(name) ×\($0)" : name } ?? name
        }
        let rest = names.count - shown.count
        return shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }
}
