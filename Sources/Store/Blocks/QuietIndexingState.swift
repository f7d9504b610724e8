import Traffic

/// The blocks of an indexer, with its own order of making them.
protocol QuietIndexingState {
    /// The blocks that are made in one go.
    associatedtype Work: Sendable

    /// What was written, and which blocks are to be made.
    var blocks: IndexingState { get set }

    /// Takes note of an exchange that ended.
    mutating func add(_ id: ExchangeID)
    /// Takes on whole blocks, unless blocks are being made.
    mutating func takesWhole() -> Work?
    /// Takes on the work for a time in which nothing is written: the begun block, and late blocks.
    mutating func takesQuiet() -> Work?
}

extension QuietIndexingState {
    /// Takes on the next work after finished work: in a quiet time all that is due, one after the other.
    mutating func takesNext() -> Work? {
        if let work = takesWhole() { return work }
        return blocks.isQuiet ? takesQuiet() : nil
    }
}
