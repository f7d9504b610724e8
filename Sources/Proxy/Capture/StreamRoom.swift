/// What one side of a stream holds in memory until more comes, as the budget has it; given back with the last reference to this.
final class StreamRoom {
    private static let full = "All open streams together hold as much memory as they may"
    /// What is said of a decoder that was let go.
    static let decoderProblem = "\(full), and there was none left to decode this one."
    /// What is said of a message that was cut.
    static let messageProblem = "\(full), so no more of this message is kept."

    private let budget: CaptureBudget
    private let client: ClientHoldings
    /// What there is room for by now.
    private(set) var heldBytes = 0

    init(_ budget: CaptureBudget, _ client: ClientHoldings) {
        self.budget = budget
        self.client = client
    }

    deinit { budget.giveStream(from: heldBytes, to: 0, of: client) }

    /// Says what is held by now; false when there is no room for it, and some of it has to be let go.
    func hold(_ bytes: Int) -> Bool {
        if bytes > heldBytes {
            guard budget.takeStream(from: heldBytes, to: bytes, of: client) else { return false }
        } else {
            budget.giveStream(from: heldBytes, to: bytes, of: client)
        }
        heldBytes = bytes
        return true
    }
}
