extension FilterCondition {
    /// Whether it asks for exchanges by their numbers, which are other exchanges in another store.
    package var asksForNumbers: Bool {
        switch self {
        case .all(let parts), .any(let parts): parts.contains(where: \.asksForNumbers)
        case .not(let part): part.asksForNumbers
        // Every exchange has such a number: it is what an empty saved search stands for.
        case .test(.number(.id, [1...Int64.max])): false
        case .test(.number(.id, _)): true
        case .test: false
        }
    }
}
