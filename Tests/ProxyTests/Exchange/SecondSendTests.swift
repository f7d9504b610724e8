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
            let reset = Playbook.failure(.reset)
            #expect(seen.tell(.upstreamReset(reset)).contains("record failed reset"))
            var unprocessed = Playbook.sent(method, isReused: true)
            var refused = reset
            refused.retry = true
            #expect(unprocessed.tell(.upstreamReset(refused)) == ["drop upstream", "connect afresh"])
            unprocessed.tell(.upstreamReady(isReused: false))
            #expect(unprocessed.tell(.upstreamReset(refused)).contains("record failed reset"))
        }
    }

    @Test("Content goes along, where the upstream had not begun with it and it is not too much to be kept")
    func content() {
        var refused = Playbook.failure(.reset)
        refused.retry = true
        var play = Playbook.sent("POST", isOnStream: true, body: "abc")
        #expect(play.tell(.upstreamReset(refused)) == ["drop upstream", "connect afresh"])
        let again = play.tell(.upstreamReady(isReused: false, isStream: true))
        #expect(again == ["send head", "send abc", "send end", "flush upstream"])
        #expect(play.tell(.upstreamReset(refused)).contains("record failed reset"))

        // What had not come by then follows.
        var unfinished = Playbook("POST")
        unfinished.tell([.request, .upstreamReady(isReused: false, isStream: true)])
        unfinished.tell([.requestBody("a"), .requestBody("b")])
        #expect(unfinished.tell(.upstreamReset(refused)) == ["drop upstream", "connect afresh"])
        #expect(unfinished.tell(.requestBody("c")) == [])
        let rest = unfinished.tell(.upstreamReady(isReused: false, isStream: true))
        #expect(rest == ["send head", "send ab", "send c", "flush upstream"])
        #expect(unfinished.tell(.requestEnd) == ["send end"])

        let limit = SentContent.streamLimitBytes
        for (count, isAgain) in [(limit, true), (limit + 1, false)] {
            let body = String(repeating: "x", count: count)
            var large = Playbook.sent("POST", isOnStream: true, body: body)
            #expect(large.tell(.upstreamReset(refused)).contains("connect afresh") == isAgain)
        }
        var trailers = Playbook("POST")
        trailers.tell([.request, .upstreamReady(isReused: false, isStream: true), .requestBody("a")])
        trailers.tell(.requestEnd(ByteBuffer(string: "t")))
        #expect(trailers.tell(.upstreamReset(refused)).contains("record failed reset"))
        // A connection that breaks may have been read from, whatever it is.
        var broken = Playbook.sent("PUT", isReused: true, isOnStream: true, body: "abc")
        #expect(broken.tell(.upstreamBroken(.closed)).contains("record failed closed"))
    }

    @Test("A request is sent again once, also where others were faster to use the new connection and it breaks as well")
    func brokenAgain() {
        var refused = Playbook.failure(.reset)
        refused.retry = true
        for first in [Fact.upstreamBroken(.closed), .upstreamReset(refused)] {
            for second in [Fact.upstreamBroken(.closed), .upstreamBroken(.reset), .upstreamReset(refused)] {
                var play = Playbook.sent(isReused: true)
                #expect(play.tell(first) == ["drop upstream", "connect afresh"])
                play.tell(.upstreamReady(isReused: true))
                #expect(play.tell(second).first == "drop upstream" && play.endsWithAnswer)
            }
        }
    }

    @Test("An upstream that refuses to speak HTTP/1.1 is offered HTTP/2 too, once, and only where it was not before")
    func offeringMore() {
        let refusal = Playbook.failure(.upstreamNoApplicationProtocol, phase: .tls)
        var play = Playbook("GET")
        play.tell([.request, .requestEnd])
        var others = play
        #expect(play.tell(.upstreamUnavailable(refusal, offersLess: true)) == ["connect offering more"])
        var again = play
        #expect(
            play.tell(.upstreamReady(isReused: false, isStream: true)) == ["send head", "send end", "flush upstream"]
        )
        let failed = ["record failed \(refusal.cause)"]
        #expect(again.tell(.upstreamUnavailable(refusal, offersLess: true)) == failed)
        #expect(again.tell(.recorded) == ["deliver answer", "finish"])
        #expect(others.tell(.upstreamUnavailable(refusal)) == failed)
        var refused = Playbook("GET")
        refused.tell(.request)
        let reason = Playbook.failure(.refused, phase: .connect)
        #expect(refused.tell(.upstreamUnavailable(reason, offersLess: true)) == ["record failed refused"])
        // A request that is sent again needs a new connection here too.
        var second = Playbook.sent(isReused: true)
        #expect(second.tell(.upstreamBroken(.closed)) == ["drop upstream", "connect afresh"])
        #expect(second.tell(.upstreamUnavailable(refusal, offersLess: true)) == ["connect afresh offering more"])
        // Nobody waits for it any more.
        var left = Playbook("GET")
        left.tell([.request, .clientLeft])
        #expect(left.tell([.upstreamUnavailable(refusal, offersLess: true), .upstreamOutdated]) == [])
    }

    @Test("A connection that its client may not have any more is replaced, before anything was sent on it")
    func outdated() {
        var play = Playbook("GET")
        play.tell([.request, .requestEnd])
        #expect(play.tell([.upstreamOutdated, .upstreamOutdated]) == ["connect anew", "connect anew"])
        #expect(play.tell(.upstreamReady(isReused: false)) == ["send head", "send end", "flush upstream"])
        #expect(play.tell(.upstreamOutdated) == [])
    }

    @Test("A request is not sent again once a part of a response's head has come")
    func withinHead() {
        for isWithinHead in [false, true] {
            var play = Playbook.sent("DELETE", isReused: true)
            let effects = play.tell(.upstreamOver(Playbook.failure(.reset), isWithinHead: isWithinHead))
            #expect(effects == ["drop upstream", isWithinHead ? "record failed reset" : "connect afresh"])
            #expect(play.endsWithAnswer == isWithinHead)
        }
    }

    @Test("Nothing else is sent twice")
    func notRetried() {
        var plays: [(Playbook, Cause)] = [
            (Playbook.sent(isReused: false), .closed), (Playbook.sent("POST", isReused: true), .closed),
            (Playbook.sent("PATCH", isReused: true), .reset),
            (Playbook.sent("PUT", isReused: true, body: "x"), .closed), (Playbook.sent(isReused: true), .timeout),
            (Playbook.sent(isReused: true), .malformed),
        ]
        var interim = Playbook.sent(isReused: true)
        interim.tell(.interim(103))
        plays.append((interim, .closed))
        var unfinished = Playbook("PUT")
        unfinished.tell(.request)
        unfinished.tell(.upstreamReady(isReused: true))
        plays.append((unfinished, .reset))
        var trailers = Playbook("PUT")
        trailers.tell(.request)
        trailers.tell(.upstreamReady(isReused: true))
        trailers.tell(.requestEnd(ByteBuffer(string: "t")))
        plays.append((trailers, .closed))
        for (index, (play, cause)) in plays.enumerated() {
            var play = play
            #expect(play.tell(.upstreamBroken(cause)) == ["drop upstream", "record failed \(cause)"], "play \(index)")
            #expect(play.endsWithAnswer)
        }
    }
}
