import Support
import Testing

@testable import Proxy

extension RunningProxy {
    /// Lets time pass for a proxy that was given a clock, once its loops have done what was before them, and has them look at it.
    ///
    /// What had begun by what the test has seen is held to its deadlines from before; nothing else of the proxy's ends by itself.
    func pass(_ time: Duration) async throws {
        let clock = try #require(clock, "the proxy runs by the machine's clock")
        // What a loop is in the middle of comes to its end within the first round, and what follows from it within the second.
        for _ in 1...2 { try await server.beat() }
        clock.advance(by: time)
        for loop in server.loops { try await loop.eventLoop.submit { loop.value.watch.look() }.get() }
    }

    /// Lets time pass in steps until something is so: for a deadline whose beginning nobody outside can see.
    ///
    /// - Parameters:
    ///   - step: how much at once.
    ///   - what: what is waited for, as the end of the sentence "waited for …".
    ///   - isMet: whether it is so.
    /// - Throws: `StillNotSo` when it is not within ten seconds of the machine's, stretched.
    func pass(_ step: Duration, until what: String, _ isMet: () -> Bool) async throws {
        let limit = Patience.stretched(.seconds(10))
        let end = ContinuousClock.now + limit
        while !isMet() {
            guard ContinuousClock.now < end else { throw StillNotSo(what: what, limit: limit) }
            try await pass(step)
        }
    }

    /// What was to come with time did not.
    struct StillNotSo: Error {
        let what: String
        let limit: Duration
    }
}
