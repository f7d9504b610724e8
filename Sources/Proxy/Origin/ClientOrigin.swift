import NIOCore
import Traffic

/// The program at the other end of one client connection: looked for when it was accepted, and known then or a moment later.
///
/// Used on the connection's loop only. The TLS inside a connection and every stream of it share one.
final class ClientOrigin: Watched {
    /// An answer that is expected later is not waited for.
    private static let soon = TimeAmount.milliseconds(10)
    /// What the record of a connection's first exchange waits, and at most a tick of the watch longer, on a machine that is slower than expected.
    private static let patience = TimeAmount.milliseconds(100)

    /// `nil` while or where it is not known.
    private(set) var process: LocalProcess?
    /// When the answer was expected; `nil` once it is there.
    private var expected: NIODeadline?
    private var waiting: [() -> Void] = []
    private var following: [(LocalProcess) -> Void] = []
    /// When those who wait are told without it.
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

    /// Begins to look for the program at the other end of an accepted connection; `nil` for a client that is elsewhere.
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

    /// Takes note that the connection has ended, or that nothing more goes to its client.
    func end(isOver: Bool) {
        isGone = isGone || isOver
        if let claim { finder.release(claim, isOver: isOver) }
        if isOver { claim = nil }
    }

    /// Whether the answer is not there and is about to come.
    var isAwaited: Bool { expected.map { $0 < watch.now + ClientOrigin.soon } ?? false }

    /// Calls back when the answer is there, or does not come in time.
    func whenKnown(_ then: @escaping () -> Void) {
        waiting.append(then)
        guard waiting.count == 1 else { return }
        deadline = watch.now + ClientOrigin.patience
        watch.add(self)
    }

    /// Calls back when the program is found, however late that is; never where it is not.
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

    /// Tells those who wait, with the answer or without; what is recorded later may have it.
    private func goOn() {
        expected = nil
        if deadline != .distantFuture { watch.remove(self) }
        deadline = .distantFuture
        let waiting = waiting
        self.waiting = []
        for then in waiting { then() }
    }
}
