import Traffic

/// The blocks of an indexer, with its own order of making them.
protocol QuietIndexingState {
    /// What is made in one go.
    associatedtype Work: Sendable

    /// What was written, and which blocks are to be made.
    var blocks: IndexingState { get set }

    /// Takes note of an exchange that ended.
    mutating func add(_ id: ExchangeID)
    /// Takes on what is whole, unless something is being made.
    mutating func takesWhole() -> Work?
    /// Takes on what is only made when nothing was written for a while: begun blocks, and those in which an exchange ended late.
    mutating func takesQuiet() -> Work?
}

extension QuietIndexingState {
    /// Takes on what follows on what was made: in a quiet time all that is due, one after the other.
    mutating func takesNext() -> Work? {
        if let work = takesWhole() { return work }
        return blocks.isQuiet ? takesQuiet() : nil
    }
}
