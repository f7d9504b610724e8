import Traffic

/// What an indexer knows of what was written and what is to be made.
protocol QuietIndexingState {
    associatedtype Work: Sendable

    /// Counts what was written, so that quiet is noticed.
    var writes: Int { get set }
    /// What `writes` was when it was quiet last: as long as it is that, it still is.
    var quietWrites: Int? { get set }
    var isRunning: Bool { get }
    var isWatching: Bool { get set }
    var isClosed: Bool { get }

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
        return quietWrites == writes ? takesQuiet() : nil
    }
}
