import Traffic

extension CaptureWalk {
    /// Visits the exchanges that may answer a question to a place, the newest first, until told to stop or `PlaceBound.answers` were visited.
    ///
    /// - Parameters:
    ///   - source: which exchanges are looked at.
    ///   - mayAnswer: whether an exchange is worth reading, by its line.
    ///   - give: looks at one; `false` ends the walk.
    /// - Returns: whether none was left out that might have been wanted.
    /// - Throws: what the walk and `give` throw.
    func answers(
        _ source: CaptureSelection,
        where mayAnswer: (ExchangeSummary) -> Bool,
        _ give: (CaptureVisit) throws -> Bool
    ) throws -> Bool {
        var count = 0
        var isWhole = true
        try walk(source) { visit in
            guard mayAnswer(visit.summary) else { return true }
            guard count < PlaceBound.answers else {
                isWhole = false
                return false
            }
            count += 1
            return try give(visit)
        }
        return isWhole
    }

    /// One exchange, by its number.
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
