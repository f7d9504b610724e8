import NIOCore
import Traffic

/// Withholds the last bytes of a connection from its client until the connection's row is committed, for the hold timeout at most.
///
/// A client that has seen them finds the row in the store, as with the end of a response. Alerts of TLS and the GOAWAY of HTTP/2 cannot be withheld:
/// the libraries write them before they tell us of the error. Used on the connection's loop only.
final class CommitHold: Watched {
    private let loop: ProxyLoop
    private let watch: LoopWatch
    private let deadline: NIODeadline
    private var then: (() -> Void)?
    /// What it adds to a spell of late exchanges, where the wait was over first.
    private var late: LateSpell?

    /// - Parameters:
    ///   - loop: the connection's.
    ///   - then: is called once, when the row is committed or the wait is over.
    init(_ loop: ProxyLoop, then: @escaping () -> Void) {
        self.loop = loop
        watch = loop.watch
        deadline = loop.now + loop.configuration.holdTimeout
        self.then = then
        watch.add(self)
    }

    /// Ends the wait: the row is committed, or cannot be recorded.
    func end(isRecorded: Bool) {
        if isRecorded, then != nil { loop.shared.late.tookInTime(loop.now) }
        if isRecorded, let late { loop.lane.add(late) }
        end()
    }

    private func end() {
        watch.remove(self)
        then.take()?()
    }

    func look(_ now: NIODeadline) {
        guard now >= deadline else { return }
        late = loop.noteLate()
        end()
    }

    func due(_ exchange: UInt64) {}

    func drain() -> Bool { true }

    func cut() -> Bool {
        end()
        return false
    }
}
