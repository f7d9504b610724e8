import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import Traffic

/// Finds the programs behind client connections, away from the event loops and with a bound on the work: after each search it rests four times as
/// long as the search took.
///
/// Where connections come several at a time they gather for longer, until the record of one waits for its name or its client may be about to
/// leave: waking a thread for every few of them costs the loops more than the search itself.
final class OriginFinder: Sendable {
    /// Called once, on the connection's loop; `nil` where no program was found.
    typealias Answer = @Sendable (LocalProcess?) -> Void

    /// Connections that may wait to be looked for; past it one stays unknown.
    private static let queueLimitCount = 256
    private static let restFactor: Int64 = 4
    /// How long connections gather where they come several at a time and nobody hurries.
    static let gatheringTime = TimeAmount.milliseconds(10)
    /// When to look whether a search has ended that was under way.
    private static let lookAgain = TimeAmount.milliseconds(1)

    private struct Question {
        var pair: SocketPair
        var loop: any EventLoop
        var answer: Answer
    }

    private struct State {
        var queue: [Question] = []
        var recent: [SocketHolder] = []
        var isWorking = false
        /// The next search does not begin before this.
        var restsUntil = NIODeadline.uptimeNanoseconds(0)
        /// The processor's time that the last search took.
        var took = TimeAmount.zero
        /// Where nobody hurries, it does not begin before this either.
        var gathersUntil = NIODeadline.uptimeNanoseconds(0)
        var isHurried = false
        /// A search that is to begin then or later needs no wake scheduled; it may have gone by on a loop that is busy.
        var wakesAt = NIODeadline.distantFuture
        /// The proxy ends.
        var isStopped = false
    }

    private let state = NIOLockedValueBox(State())
    private let table: ProcessTable

    private let gatheringTime: TimeAmount

    init(table: ProcessTable = ProcessTable(), gatheringTime: TimeAmount = OriginFinder.gatheringTime) {
        self.table = table
        self.gatheringTime = gatheringTime
    }

    /// Looks for the program at the other end of a connection.
    ///
    /// - Parameters:
    ///   - pair: the connection.
    ///   - loop: the loop that this is called on; it goes on with the search after a rest.
    ///   - answer: is told, later.
    /// - Returns: when the answer can be expected by one who hurries.
    func find(_ pair: SocketPair, on loop: any EventLoop, _ answer: @escaping Answer) -> NIODeadline {
        let now = NIODeadline.now()
        let expected = state.withLockedValue { state -> NIODeadline? in
            guard !state.isStopped, state.queue.count < OriginFinder.queueLimitCount else { return nil }
            state.queue.append(Question(pair: pair, loop: loop, answer: answer))
            let rest = state.took * OriginFinder.restFactor
            let start = state.isWorking ? now + state.took + rest : max(now, state.restsUntil)
            return start + state.took
        }
        guard let expected else {
            loop.execute { answer(nil) }
            return now
        }
        begin(loop)
        return expected
    }

    /// Lets no more connections gather, because the program behind one of them is needed now; called on the loop.
    func hurry(_ pair: SocketPair, on loop: any EventLoop) {
        state.withLockedValue { state in
            if state.queue.contains(where: { $0.pair == pair }) { state.isHurried = true }
        }
        begin(loop)
    }

    /// Begins a search, or sees to it that one begins after the rest; called on the loop.
    private func begin(_ loop: any EventLoop) {
        enum Step { case work, wait(NIODeadline), nothing }
        let step = state.withLockedValue { state -> Step in
            guard !state.queue.isEmpty else { return .nothing }
            let now = NIODeadline.now()
            let ready = state.isHurried ? state.restsUntil : max(state.restsUntil, state.gathersUntil)
            let start = state.isWorking ? max(ready, now + OriginFinder.lookAgain) : ready
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
            loop.scheduleTask(deadline: until) { [self] in
                state.withLockedValue { if $0.wakesAt == until { $0.wakesAt = .distantFuture } }
                begin(loop)
            }
        }
    }

    private func work(_ item: NIOThreadPool.WorkItemState) {
        let began = ProcessTable.spent()
        var (queue, recent) = state.withLockedValue { state in
            defer {
                state.queue = []
                state.isHurried = false
            }
            return (state.queue, state.recent)
        }
        let found = item == .active ? table.owners(of: queue.map(\.pair), recent: &recent) : [:]
        for asked in Dictionary(grouping: queue, by: { ObjectIdentifier($0.loop) }).values {
            asked.first?.loop.execute { for question in asked { question.answer(found[question.pair]) } }
        }
        let took = ProcessTable.spent() - began
        state.withLockedValue { state in
            state.recent = recent
            state.took = took
            let now = NIODeadline.now()
            state.restsUntil = now + took * OriginFinder.restFactor
            state.gathersUntil = queue.count > 1 ? now + gatheringTime : now
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
