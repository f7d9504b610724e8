import NIOCore
import Traffic

/// The program at the other end of one client connection: the search begins as the connection is accepted, and ends at once or a moment later.
///
/// Used on the connection's loop only. The TLS inside a connection and all its streams share one object.
final class ClientOrigin: Watched {
    /// How far ahead an answer may be expected that is waited for.
    private static let soon = TimeAmount.milliseconds(10)
    /// How long the record of a connection's first exchange waits for a late answer, and at most a tick of the watch longer.
    private static let patience = TimeAmount.milliseconds(100)

    /// The program; `nil` while it is unknown, or where it stays so.
    private(set) var process: LocalProcess?
    /// When the answer is expected; `nil` once it has come.
    private var expected: NIODeadline?
    private var waiting: [() -> Void] = []
    private var following: [(LocalProcess) -> Void] = []
    /// When the waiting closures are called without it.
    private var deadline = NIODeadline.distantFuture
    private let watch: LoopWatch
    private let finder: OriginFinder
    /// What the connection has of its program while it is open.
    private var claim: KnownPrograms.Claim?
    private var isGone = false

    private init(_ watch: LoopWatch, _ finder: OriginFinder) {
        self.watch = watch
        self.finder = finder
    }

    /// Begins the search for the program at the other end of an accepted connection; `nil` for a client on another machine.
    static func of(_ channel: any Channel, _ finder: OriginFinder, _ watch: LoopWatch) -> ClientOrigin? {
        guard let pair = SocketPair(client: channel.remoteAddress, listener: channel.localAddress) else { return nil }
        let loop = channel.eventLoop
        let origin = ClientOrigin(watch, finder)
        let bound = NIOLoopBound(origin, eventLoop: loop)
        switch finder.find(pair, on: loop, { bound.value.settle($0) }) {
        case .known(let found): origin.settle(found)
        case .expected(let deadline): origin.expected = deadline
        }
        return origin
    }

    /// Notes that the connection has ended, or that nothing more goes to its client.
    func end(isOver: Bool) {
        isGone = isGone || isOver
        if let claim { finder.release(claim, isOver: isOver) }
        if isOver { claim = nil }
    }

    /// Whether the answer has not come and is about to.
    var isAwaited: Bool { expected.map { $0 < watch.now + ClientOrigin.soon } ?? false }

    /// Calls back when the answer has come, or does not come in time.
    func whenKnown(_ then: @escaping () -> Void) {
        waiting.append(then)
        guard waiting.count == 1 else { return }
        deadline = watch.now + ClientOrigin.patience
        watch.add(self)
    }

    /// Calls back when the program is found, however late; never where it is not found.
    func whenFound(_ then: @escaping (LocalProcess) -> Void) {
        if let process { then(process) } else { following.append(then) }
    }

    func look(_ now: NIODeadline) {
        if now >= deadline { goOn() }
    }

    func due(_ exchange: UInt64) {}

    func drain() -> Bool { false }

    private func settle(_ found: OriginFinder.Found) {
        process = found?.process
        claim = found?.claim
        if isGone { end(isOver: true) }
        let following = following
        self.following = []
        if let process { for then in following { then(process) } }
        goOn()
    }

    /// Calls the waiting closures, with the answer or without; later records may still have it.
    private func goOn() {
        expected = nil
        if deadline != .distantFuture { watch.remove(self) }
        deadline = .distantFuture
        let waiting = waiting
        self.waiting = []
        for then in waiting { then() }
    }
}
