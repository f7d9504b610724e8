import Dispatch
import Traffic

/// An indexer that makes whole blocks at once, and the rest when nothing was written for a while.
protocol QuietIndexing: AnyObject, Sendable {
    associatedtype State: QuietIndexingState

    /// How long nothing must have been written for a quiet time.
    var quiet: DispatchTimeInterval { get }

    /// Changes its state, one caller after another.
    func withState<Result>(_ body: (inout sending State) -> sending Result) -> sending Result
    /// Makes blocks in the background.
    func make(_ work: State.Work)
}

extension QuietIndexing {
    /// Takes note of the exchanges that ended; called on the writer's queue after a commit.
    ///
    /// - Parameters:
    ///   - ids: the exchanges.
    ///   - keep: keeps what else is known of them, before anything is taken on.
    func noteEnded(_ ids: [ExchangeID], _ keep: (inout State) -> Void = { _ in }) {
        let (work, watches) = withState { state in
            state.blocks.noteWrite()
            keep(&state)
            for id in ids { state.add(id) }
            defer { state.blocks.isWatching = true }
            return (state.takesWhole(), !state.blocks.isWatching && !state.blocks.isClosed)
        }
        if let work { make(work) }
        if watches { watch() }
    }

    /// Looks again after a while whether anything was written.
    private func watch() {
        let writes = withState { $0.blocks.writes }
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + quiet) { [weak self] in
            self?.look(since: writes)
        }
    }

    private func look(since writes: Int) {
        let (work, isDone) = withState { state -> (State.Work?, Bool) in
            guard !state.blocks.isClosed else { return (nil, true) }
            guard state.blocks.writes == writes, !state.blocks.isRunning else { return (nil, false) }
            state.blocks.noteQuiet()
            guard let work = state.takesQuiet() else {
                state.blocks.isWatching = false
                return (nil, true)
            }
            return (work, false)
        }
        if let work { make(work) }
        if !isDone { watch() }
    }
}
