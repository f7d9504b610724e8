/// Says of an exchange whose answer says success whether it is a failure all the same: by the word of the lens that reads it.
package protocol FailureJudge: Sendable {
    /// Whether an exchange failed inside; only one that `ExchangeSummary.mayFailInside` is put to it.
    func failsInside(_ capture: Capture) -> Bool
}

extension ExchangeSummary {
    /// Whether its answer says success, is whole, and has a lens, which alone can say that it is a failure.
    package var mayFailInside: Bool {
        outcome == .completed && lens != nil && code.map((200..<300).contains) == true
    }
}
