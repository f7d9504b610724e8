import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import Traffic

/// Finds the programs behind client connections, away from the event loops and with a bound on the work: after each search it rests four times as
/// long as the search took, while further connections gather for the next.
final class OriginFinder: Sendable {
    /// Called once, on the connection's loop; `nil` where no program was found.
    typealias Answer = @Sendable (LocalProcess?) -> Void

    /// Connections that may wait to be looked for; past it one stays unknown.
    private static let queueLimitCount = 256
    /// Programs that are looked at first: those that connected last.
    private static let recentLimitCount = 8
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
        var recent: [Int32] = []
        var isWorking = false
        /// The next search does not begin before this.
        var restsUntil = NIODeadline.uptimeNanoseconds(0)
        /// The processor's time that the last search took.
        var took = TimeAmount.zero
        /// How long the finder rests after a search like the last.
        var rest = TimeAmount.zero
        var isWakeScheduled = false
        /// The proxy ends.
        var isStopped = false
    }

    private let state = NIOLockedValueBox(State())
    private let table: ProcessTable

    init(table: ProcessTable = ProcessTable()) { self.table = table }

    /// Looks for the program at the other end of a connection.
    ///
    /// - Parameters:
    ///   - pair: the connection.
    ///   - loop: the loop that this is called on; it goes on with the search after a rest.
    ///   - answer: is told, later.
    /// - Returns: when the answer can be expected.
    func find(_ pair: SocketPair, on loop: any EventLoop, _ answer: @escaping Answer) -> NIODeadline {
        let now = NIODeadline.now()
        let expected = state.withLockedValue { state -> NIODeadline? in
            guard !state.isStopped, state.queue.count < OriginFinder.queueLimitCount else { return nil }
            state.queue.append(Question(pair: pair, loop: loop, answer: answer))
            let start = state.isWorking ? now + state.took + state.rest : max(now, state.restsUntil)
            return start + state.took
        }
        guard let expected else {
            loop.execute { answer(nil) }
            return now
        }
        begin(loop)
        return expected
    }

    /// Begins a search, or sees to it that one begins after the rest; called on the loop.
    private func begin(_ loop: any EventLoop) {
        enum Step { case work, wait(NIODeadline), nothing }
        let step = state.withLockedValue { state -> Step in
            guard !state.queue.isEmpty, !state.isWakeScheduled else { return .nothing }
            let now = NIODeadline.now()
            if state.isWorking || now < state.restsUntil {
                state.isWakeScheduled = true
                return .wait(max(state.restsUntil, now + OriginFinder.lookAgain))
            }
            state.isWorking = true
            return .work
        }
        switch step {
        case .nothing: break
        case .work: NIOThreadPool.singleton.submit { [self] in work($0) }
        case .wait(let until):
            loop.scheduleTask(deadline: until) { [self] in
                state.withLockedValue { $0.isWakeScheduled = false }
                begin(loop)
            }
        }
    }

    private func work(_ item: NIOThreadPool.WorkItemState) {
        let began = ProcessTable.spent()
        let (queue, recent) = state.withLockedValue { state in
            defer { state.queue = [] }
            return (state.queue, state.recent)
        }
        let found = item == .active ? table.owners(of: queue.map(\.pair), recent: recent) : [:]
        for asked in Dictionary(grouping: queue, by: { ObjectIdentifier($0.loop) }).values {
            asked.first?.loop.execute { for question in asked { question.answer(found[question.pair]) } }
        }
        let took = ProcessTable.spent() - began
        state.withLockedValue { state in
            for id in Set(found.values.map(\.id)) {
                state.recent.removeAll { $0 == id }
                state.recent.insert(id, at: 0)
            }
            state.recent = Array(state.recent.prefix(OriginFinder.recentLimitCount))
            state.took = took
            state.rest = max(took * OriginFinder.restFactor, queue.count > 1 ? OriginFinder.crowdRest : .zero)
            state.restsUntil = .now() + state.rest
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
