import NIOCore
import NIOEmbedded
import Testing

@testable import Proxy

/// What a loop watches over while the proxy stops.
@Suite(.timeLimit(.minutes(15)))
struct LoopWatchTests {
    /// A connection that is left, and waits for its client.
    private final class Left: Watched {
        func look(_ now: NIODeadline) {}
        func due(_ exchange: UInt64) {}
        func drain() -> Bool { true }
    }

    /// A connection that leaves such another behind when it is asked to end.
    private final class Ending: Watched {
        private let watch: LoopWatch

        init(_ watch: LoopWatch) { self.watch = watch }

        func look(_ now: NIODeadline) {}
        func due(_ exchange: UInt64) {}

        func drain() -> Bool {
            watch.remove(self)
            watch.add(Left())
            return false
        }
    }

    @Test("What ends while a proxy stops and leaves something under way behind counts within the same look")
    func left() {
        let watch = LoopWatch(loop: EmbeddedEventLoop(), delay: .zero, clock: ProxyClock())
        for _ in 1...2 { watch.add(Ending(watch)) }
        #expect(watch.drain() == 2)
        #expect(watch.drain() == 2)
    }
}
