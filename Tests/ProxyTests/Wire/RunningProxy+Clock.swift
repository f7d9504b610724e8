import NIOCore
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

    /// Lets a deadline pass: first its time but for a millisecond, with which nothing may end, and then the rest.
    ///
    /// - Parameters:
    ///   - time: from now, when what is under way has begun, to its deadline.
    ///   - clients: who may get nothing and see no end before it.
    ///   - holds: what else has to be so until then.
    /// - Throws: `DidNotStay` when a row came before its time.
    func expire(_ time: Duration, _ clients: RawClient..., while holds: () -> Bool = { true }) async throws {
        let rowCount = sink.soFar.ended.count
        let had = clients.map(\.soFar.unread)
        try await pass(time - .milliseconds(1))
        for _ in 1...2 { try await server.beat() }
        try await sink.stays("no further row", for: .milliseconds(50)) { $0.ended.count == rowCount }
        for (client, unread) in zip(clients, had) {
            #expect(!client.soFar.isEnded && client.soFar.unread == unread, "before its time: \(client.soFar)")
        }
        #expect(holds(), "Something ended a millisecond before its time")
        try await pass(.milliseconds(1))
    }

    /// Asks everything to come to an end, as a proxy does again and again that is about to stop; how much is still under way.
    func drain() async throws -> Int {
        var open = 0
        for loop in server.loops { open += try await loop.eventLoop.submit { loop.value.drain() }.get() }
        return open
    }

    /// Lets time pass in steps until something is so: for a deadline whose beginning nobody outside can see.
    ///
    /// - Parameters:
    ///   - step: how much at once.
    ///   - what: what is waited for, as the end of the sentence "waited for …".
    ///   - isMet: whether it is so.
    /// - Throws: `StillNotSo` when it is not within ten seconds of the machine's, stretched.
    func pass(_ step: Duration, until what: String, _ isMet: () async throws -> Bool) async throws {
        let limit = Patience.stretched(.seconds(10))
        let end = ContinuousClock.now + limit
        while try await !isMet() {
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
