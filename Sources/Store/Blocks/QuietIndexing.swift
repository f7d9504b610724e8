import Dispatch
import Synchronization
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

/// An indexer that makes what is whole at once, and the rest when nothing was written for a while.
protocol QuietIndexing: AnyObject, Sendable {
    associatedtype State: QuietIndexingState

    /// How long nothing must have been written.
    var quiet: DispatchTimeInterval { get }

    /// Changes its state, one caller after another.
    func withState<Result>(_ body: (inout sending State) -> sending Result) -> sending Result
    /// Makes something in the background.
    func make(_ work: State.Work)
}

extension QuietIndexing {
    /// Takes note of the exchanges that ended; called on the writer's queue after a commit.
    func noteEnded(_ ids: [ExchangeID]) {
        let (work, watches) = withState { state in
            state.writes += 1
            for id in ids { state.add(id) }
            defer { state.isWatching = true }
            return (state.takesWhole(), !state.isWatching && !state.isClosed)
        }
        if let work { make(work) }
        if watches { watch() }
    }

    /// Looks again after a while whether anything was written.
    private func watch() {
        let writes = withState { $0.writes }
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + quiet) { [weak self] in
            self?.look(since: writes)
        }
    }

    private func look(since writes: Int) {
        let (work, isDone) = withState { state -> (State.Work?, Bool) in
            guard !state.isClosed else { return (nil, true) }
            guard state.writes == writes, !state.isRunning else { return (nil, false) }
            state.quietWrites = writes
            guard let work = state.takesQuiet() else {
                state.isWatching = false
                return (nil, true)
            }
            return (work, false)
        }
        if let work { make(work) }
        if !isDone { watch() }
    }
}
