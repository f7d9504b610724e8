import Traffic

extension CaptureWalk {
    /// Visits the exchanges that may answer a question to a place, the newest first, until the place is done or a bound of `PlaceBound` is reached.
    ///
    /// - Parameters:
    ///   - source: the exchanges to look at.
    ///   - mayAnswer: whether an exchange is worth reading, judged by its line.
    ///   - give: looks at an exchange, and says what it was to the place.
    /// - Returns: whether none was left out that might have been wanted.
    /// - Throws: what the walk and `give` throw.
    func answers(
        _ source: CaptureSelection,
        where mayAnswer: (ExchangeSummary) -> Bool,
        _ give: (CaptureVisit) throws -> PlaceStep
    ) throws -> Bool {
        var (answers, others) = (0, 0)
        var isWhole = true
        try walk(source) { visit in
            guard mayAnswer(visit.summary) else { return true }
            guard answers < PlaceBound.answers, others < PlaceBound.others else {
                isWhole = false
                return false
            }
            switch try give(visit) {
            case .read: answers += 1
            case .other: others += 1
            case .unread: break
            case .done: return false
            }
            return true
        }
        return isWhole
    }

    /// The exchange of this number.
    ///
    /// - Throws: `PlaceProblem.noExchange` where it is not there, and what the walk throws.
    func capture(_ id: ExchangeID) throws -> Capture {
        var capture: Capture?
        try walk(.one(id)) { visit in
            capture = try visit.capture()
            return false
        }
        guard let capture else { throw PlaceProblem.noExchange(id) }
        return capture
    }
}
