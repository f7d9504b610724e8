import NIOCore
import Testing
import Traffic

@testable import Proxy

/// What is sent a second time, and what is not.
@Suite(.timeLimit(.minutes(15)))
struct SecondSendTests {
    /// A request that is whole and sent on a connection.
    private func sent(_ method: String = "GET", isReused: Bool = false, body: String? = nil) -> Playbook {
        var play = Playbook(method)
        play.tell(.request)
        play.tell(.upstreamReady(isReused: isReused))
        if let body { play.tell(.requestBody(body)) }
        play.tell(.requestEnd)
        return play
    }

    @Test("A stream that the upstream reset is tried again where it had not begun with the request, and only there")
    func resetStream() {
        for method in ["GET", "PUT", "POST"] {
            var seen = sent(method, isReused: true)
            let reset = Playbook.failure("reset")
            #expect(seen.tell(.upstreamReset(reset)).contains("record failed reset"))
            var unprocessed = sent(method, isReused: true)
            var refused = reset
            refused.retry = true
            #expect(unprocessed.tell(.upstreamReset(refused)) == ["drop upstream", "connect afresh"])
            unprocessed.tell(.upstreamReady(isReused: false))
            #expect(unprocessed.tell(.upstreamReset(refused)).contains("record failed reset"))
        }
    }

    @Test("Nothing else is sent twice")
    func notRetried() {
        var plays = [
            (sent(isReused: false), "closed"), (sent("POST", isReused: true), "closed"),
            (sent("PATCH", isReused: true), "reset"),
            (sent("PUT", isReused: true, body: "x"), "closed"), (sent(isReused: true), "timeout"),
            (sent(isReused: true), "malformed"),
        ]
        var interim = sent(isReused: true)
        interim.tell(.interim(103))
        plays.append((interim, "closed"))
        var unfinished = Playbook("PUT")
        unfinished.tell(.request)
        unfinished.tell(.upstreamReady(isReused: true))
        plays.append((unfinished, "reset"))
        var trailers = Playbook("PUT")
        trailers.tell(.request)
        trailers.tell(.upstreamReady(isReused: true))
        trailers.tell(.requestEnd(ByteBuffer(string: "t")))
        plays.append((trailers, "closed"))
        for (index, (play, cause)) in plays.enumerated() {
            var play = play
            #expect(play.tell(.upstreamBroken(cause)) == ["drop upstream", "record failed \(cause)"], "play \(index)")
            #expect(play.machine.endsWithAnswer)
        }
    }
}
