/// The memory of one stream's decoder as the budget has it; given back with the last reference to this.
final class DecoderRoom {
    /// What is said where there is none.
    static let problem =
        "The decoders of all open streams have as much memory as they may, and there was none left for this one."

    private let budget: CaptureBudget
    private var heldBytes = 0

    init(_ budget: CaptureBudget) { self.budget = budget }

    deinit { budget.giveDecoder(heldBytes) }

    /// Says what the decoder holds by now; false when there is no room for it, and it has to be let go.
    func hold(_ bytes: Int) -> Bool {
        if bytes > heldBytes {
            guard budget.takeDecoder(bytes - heldBytes) else { return false }
        } else {
            budget.giveDecoder(heldBytes - bytes)
        }
        heldBytes = bytes
        return true
    }
}
