/// The memory that one side of a stream holds until more comes, as counted by the budget; freed with the last reference to this object.
final class StreamRoom {
    private static let full = "All open streams together hold as much memory as they may"
    /// The warning for a decoder that was freed.
    static let decoderProblem = "\(full), and there was none left to decode this one."
    /// The warning for a message that was cut.
    static let messageProblem = "\(full), so no more of this message is kept."

    private let budget: CaptureBudget
    private let client: ClientHoldings
    /// Bytes that the side holds, for which there was room.
    private(set) var heldBytes = 0

    init(_ budget: CaptureBudget, _ client: ClientHoldings) {
        self.budget = budget
        self.client = client
    }

    deinit { budget.giveStream(from: heldBytes, to: 0, of: client) }

    /// Counts what is held now; returns false where there is no room for it, and some has to be freed.
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
