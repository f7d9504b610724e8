import Dispatch
import Traffic

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
