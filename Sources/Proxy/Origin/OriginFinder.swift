import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import Traffic

/// Finds the programs behind client connections.
///
/// A program that connected before is mostly found at once. Others are searched for off the event loops, with a bound on the work: after each
/// search the finder rests four times as long as that took, while further connections gather for the next search.
final class OriginFinder: Sendable {
    /// The program at the other end; `nil` where none was found.
    typealias Found = (process: LocalProcess, claim: KnownPrograms.Claim?)?
    /// Called once, on the connection's loop.
    typealias Answer = @Sendable (Found) -> Void

    /// What is known of a connection without a search.
    enum Finding {
        case known(Found)
        /// An answer follows, about at this time.
        case expected(NIODeadline)
    }

    /// The most connections that wait for a search; the programs of further ones stay unknown.
    private static let queueLimitCount = 256
    private static let restFactor: Int64 = 4
    /// The least rest where connections come several at a time, so that one search serves more of them; shorter than their handshakes.
    private static let crowdRest = TimeAmount.milliseconds(2)
    /// How soon to check again whether a search that was under way has ended.
    private static let lookAgain = TimeAmount.milliseconds(1)

    private struct Question {
        var pair: SocketPair
        var loop: any EventLoop
        var answer: Answer
    }

    private struct State {
        var queue: [Question] = []
        var isWorking = false
        /// When the next search may begin.
        var restsUntil = NIODeadline.uptimeNanoseconds(0)
        /// The processor time that the last search took.
        var took = TimeAmount.zero
        /// How long the finder rests after the last search.
        var rest = TimeAmount.zero
        /// When a loop is scheduled to begin a search, which may be past where that loop is busy; a later search needs no other.
        var wakesAt = NIODeadline.distantFuture
        /// Whether the proxy has stopped.
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

    /// Begins the search for the program at the other end of a connection.
    ///
    /// - Parameters:
    ///   - pair: the connection.
    ///   - loop: the loop that this is called on; it goes on with the search after a rest.
    ///   - answer: is called later, unless the program is known at once.
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

    /// Notes that a connection whose program was found has ended, or that nothing more goes to its client.
    func release(_ claim: KnownPrograms.Claim, isOver: Bool) { known.release(claim, isOver: isOver) }

    /// Begins a search, or schedules one for after the rest; called on the loop.
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
            // In so much time, since the clock may be another than the loop's; a clock that stands still delays no search.
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

    /// Stops searching; returns whether a search is still under way, whose answers need the loops.
    func stop() -> Bool {
        state.withLockedValue { state in
            state.isStopped = true
            state.queue = []
            return state.isWorking
        }
    }
}
