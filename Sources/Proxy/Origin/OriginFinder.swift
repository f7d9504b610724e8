import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import Traffic

/// Finds the programs behind client connections.
///
/// Those of programs that connected before are mostly told at once; the others are searched for away from the event loops and with a bound on the
/// work: after each search it rests four times as long as the search took, while further connections gather for the next.
final class OriginFinder: Sendable {
    /// Who is at the other end; `nil` where no program was found.
    typealias Found = (process: LocalProcess, claim: KnownPrograms.Claim?)?
    /// Called once, on the connection's loop.
    typealias Answer = @Sendable (Found) -> Void

    /// What is known of a connection at once.
    enum Finding {
        case known(Found)
        /// An answer follows, about then.
        case expected(NIODeadline)
    }

    /// Connections that may wait to be looked for; past it one stays unknown.
    private static let queueLimitCount = 256
    private static let restFactor: Int64 = 4
    /// The least rest where connections come several at a time, so that the next search finds more of them at once; less than their handshakes take.
    private static let crowdRest = TimeAmount.milliseconds(2)
    /// When to look whether a search has ended that was under way.
    private static let lookAgain = TimeAmount.milliseconds(1)

    private struct Question {
        var pair: SocketPair
        var loop: any EventLoop
        var answer: Answer
    }

    private struct State {
        var queue: [Question] = []
        var isWorking = false
        /// The next search does not begin before this.
        var restsUntil = NIODeadline.uptimeNanoseconds(0)
        /// The processor's time that the last search took.
        var took = TimeAmount.zero
        /// How long the finder rests after a search like the last.
        var rest = TimeAmount.zero
        /// A search that is to begin then or later needs no wake scheduled; it may have gone by on a loop that is busy.
        var wakesAt = NIODeadline.distantFuture
        /// The proxy ends.
        var isStopped = false
    }

    private let state = NIOLockedValueBox(State())
    private let table: ProcessTable
    private let known: KnownPrograms
    private let clock: ProxyClock

    init(table: ProcessTable = ProcessTable(), known: KnownPrograms = KnownPrograms(), clock: ProxyClock) {
        self.clock = clock
        self.table = table
        self.known = known
    }

    /// Looks for the program at the other end of a connection.
    ///
    /// - Parameters:
    ///   - pair: the connection.
    ///   - loop: the loop that this is called on; it goes on with the search after a rest.
    ///   - answer: is told, later, unless the program is known at once.
    /// - Returns: the program, or when it can be expected.
    func find(_ pair: SocketPair, on loop: any EventLoop, _ answer: @escaping Answer) -> Finding {
        switch table.isAnswered ? known.look(for: pair) : .unknown {
        case .held(let process, let claim): return .known((process, claim))
        case .unheld: return .known(nil)
        case .unknown: break
        }
        let now = clock.now
        let expected = state.withLockedValue { state -> NIODeadline? in
            guard !state.isStopped, state.queue.count < OriginFinder.queueLimitCount else { return nil }
            state.queue.append(Question(pair: pair, loop: loop, answer: answer))
            let start = state.isWorking ? now + state.took + state.rest : max(now, state.restsUntil)
            return start + state.took
        }
        guard let expected else { return .known(nil) }
        begin(loop, now)
        return .expected(expected)
    }

    /// Takes note that a connection whose program was found has ended, or that nothing more goes to its client.
    func release(_ claim: KnownPrograms.Claim, isOver: Bool) { known.release(claim, isOver: isOver) }

    /// Begins a search, or sees to it that one begins after the rest; called on the loop.
    private func begin(_ loop: any EventLoop, _ now: NIODeadline) {
        enum Step { case work, wait(NIODeadline), nothing }
        let step = state.withLockedValue { state -> Step in
            guard !state.queue.isEmpty else { return .nothing }
            let start = state.isWorking ? max(state.restsUntil, now + OriginFinder.lookAgain) : state.restsUntil
            if start > now {
                guard start < state.wakesAt || state.wakesAt <= now else { return .nothing }
                state.wakesAt = start
                return .wait(start)
            }
            state.isWorking = true
            return .work
        }
        switch step {
        case .nothing: break
        case .work: NIOThreadPool.singleton.submit { [self] in work($0) }
        case .wait(let until):
            // By how long it is until then, since the clock need not be the loop's; a clock that stands still keeps nobody from a search.
            loop.scheduleTask(in: until - now) { [self] in
                state.withLockedValue { if $0.wakesAt == until { $0.wakesAt = .distantFuture } }
                begin(loop, max(until, clock.now))
            }
        }
    }

    private func work(_ item: NIOThreadPool.WorkItemState) {
        let began = ProcessTable.spent()
        let queue = state.withLockedValue { state in
            defer { state.queue = [] }
            return state.queue
        }
        let owners = item == .active ? table.owners(of: queue.map(\.pair), recent: known.ids) : [:]
        let found = owners.mapValues { (process: $0.process, claim: known.learn($0)) }
        for asked in Dictionary(grouping: queue, by: { ObjectIdentifier($0.loop) }).values {
            asked.first?.loop.execute { for question in asked { question.answer(found[question.pair]) } }
        }
        let took = ProcessTable.spent() - began
        state.withLockedValue { state in
            state.took = took
            state.rest = max(took * OriginFinder.restFactor, queue.count > 1 ? OriginFinder.crowdRest : .zero)
            state.restsUntil = clock.now + state.rest
            state.isWorking = false
        }
    }

    /// Looks for nothing more; whether a search is still under way, whose answers need the loops.
    func stop() -> Bool {
        state.withLockedValue { state in
            state.isStopped = true
            state.queue = []
            return state.isWorking
        }
    }
}
