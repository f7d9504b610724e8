import NIOCore

/// Puts off a verdict on a client that left without a word: of several connections that a pool opens at once it uses one, which may be about to speak.
///
/// Used on the connection's loop only; a proxy that stops has the verdict at once.
final class SecondLook: Watched {
    /// More than a client's handshakes take that began together.
    private static let delay = TimeAmount.milliseconds(500)

    private let deadline: NIODeadline
    private let watch: LoopWatch
    private let verdict: () -> Void

    private init(_ watch: LoopWatch, _ verdict: @escaping () -> Void) {
        deadline = watch.now + Self.delay
        self.watch = watch
        self.verdict = verdict
    }

    /// Calls back a moment later; it is kept until then.
    static func after(_ watch: LoopWatch, _ verdict: @escaping () -> Void) {
        watch.add(SecondLook(watch, verdict))
    }

    func look(_ now: NIODeadline) {
        if now >= deadline { decide() }
    }

    func due(_ exchange: UInt64) {}

    func drain() -> Bool {
        decide()
        return false
    }

    private func decide() {
        watch.remove(self)
        verdict()
    }
}
