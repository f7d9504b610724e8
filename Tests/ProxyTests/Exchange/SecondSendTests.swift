import NIOCore
import Testing
import Traffic

@testable import Proxy

/// What is sent a second time, and what is not.
@Suite(.timeLimit(.minutes(15)))
struct SecondSendTests {
    @Test("A stream that the upstream reset is tried again where it had not begun with the request, and only there")
    func resetStream() {
        for method in ["GET", "PUT", "POST"] {
            var seen = Playbook.sent(method, isReused: true)
            let reset = Playbook.failure("reset")
            #expect(seen.tell(.upstreamReset(reset)).contains("record failed reset"))
            var unprocessed = Playbook.sent(method, isReused: true)
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
            (Playbook.sent(isReused: false), "closed"), (Playbook.sent("POST", isReused: true), "closed"),
            (Playbook.sent("PATCH", isReused: true), "reset"),
            (Playbook.sent("PUT", isReused: true, body: "x"), "closed"), (Playbook.sent(isReused: true), "timeout"),
            (Playbook.sent(isReused: true), "malformed"),
        ]
        var interim = Playbook.sent(isReused: true)
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
