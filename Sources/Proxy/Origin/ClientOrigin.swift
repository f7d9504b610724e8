import NIOCore
import Traffic

/// The program at the other end of one client connection: looked for when it was accepted, and known a moment later.
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
    private let pair: SocketPair
    private let loop: any EventLoop

    private init(_ watch: LoopWatch, _ finder: OriginFinder, _ pair: SocketPair, _ loop: any EventLoop) {
        self.watch = watch
        self.finder = finder
        self.pair = pair
        self.loop = loop
    }

    /// Begins to look for the program at the other end of an accepted connection; `nil` for a client that is elsewhere.
    static func of(_ channel: any Channel, _ finder: OriginFinder, _ watch: LoopWatch) -> ClientOrigin? {
        guard let pair = SocketPair(client: channel.remoteAddress, listener: channel.localAddress) else { return nil }
        let loop = channel.eventLoop
        let origin = ClientOrigin(watch, finder, pair, loop)
        let bound = NIOLoopBound(origin, eventLoop: loop)
        origin.expected = finder.find(pair, on: loop) { bound.value.settle($0) }
        return origin
    }

    /// Whether the answer is not there and is about to come.
    var isAwaited: Bool { expected.map { $0 < .now() + ClientOrigin.soon } ?? false }

    /// Has the program looked for now, because the client may be gone soon.
    func hurry() {
        if expected != nil { finder.hurry(pair, on: loop) }
    }

    /// Calls back when the answer is there, or does not come in time.
    func whenKnown(_ then: @escaping () -> Void) {
        waiting.append(then)
        guard waiting.count == 1 else { return }
        deadline = .now() + ClientOrigin.patience
        watch.add(self)
        finder.hurry(pair, on: loop)
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

    private func settle(_ process: LocalProcess?) {
        self.process = process
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
