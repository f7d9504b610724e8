import NIOCore

/// Delays the verdict on a client that left without a byte: a pool opens several connections at once and uses one, which may be about to speak.
///
/// Used on the connection's loop only; a stopping proxy gets the verdict at once.
final class SecondLook: Watched {
    /// The delay, which is longer than a client's handshakes take that began together.
    private static let delay = TimeAmount.milliseconds(500)

    private let deadline: NIODeadline
    private let watch: LoopWatch
    private let verdict: () -> Void

    private init(_ watch: LoopWatch, _ verdict: @escaping () -> Void) {
        deadline = watch.now + Self.delay
        self.watch = watch
        self.verdict = verdict
    }

    /// Calls back after the delay; the watch keeps this object until then.
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
