import Foundation
import NIOCore
import Testing
import Traffic

@testable import Proxy

@Suite(.timeLimit(.minutes(15)))
struct ExchangeStateMachineTests {
    @Test("A plain exchange: the last part is withheld until the record is committed")
    func plain() {
        var play = Playbook("GET")
        #expect(play.tell(.request) == ["connect"])
        #expect(play.tell(.requestEnd) == [] && play.machine.isRequestEnded)
        #expect(play.tell(.upstreamReady(isReused: false)) == ["send head", "send end", "flush upstream"])
        #expect(play.machine.isAwaitingResponse)
        #expect(play.tell(.response(200)) == [] && !play.machine.isAwaitingResponse)
        #expect(play.tell(.responseBody("one")) == ["deliver head"])
        #expect(play.tell(.responseBody("two")) == ["deliver body one"])
        #expect(play.tell(.responseEnd) == ["release upstream", "record completed"])
        #expect(play.machine.isHeld && play.machine.keepsWaiting && !play.endsWithAnswer)
        #expect(play.tell(.recorded) == ["deliver body two", "deliver end", "finish"])
        #expect(play.machine.isOver)
    }

    @Test("What has come is delivered when the upstream pauses, and the end still waits for the record")
    func pauses() {
        var play = Playbook.sent()
        #expect(play.tell([.response(200), .responsePaused]) == ["deliver head", "flush client"])
        #expect(play.tell([.responseBody("one"), .responsePaused]) == ["deliver body one", "flush client"])
        #expect(play.tell(.responsePaused) == ["flush client"])
        let trailers = ByteBuffer(string: "t")
        #expect(play.tell(.responseEnd(trailers)) == ["release upstream", "record completed"])
        #expect(play.tell([.responsePaused, .responseEnd]) == [])
        #expect(play.tell(.recorded) == ["deliver end t", "finish"])
        #expect(play.tell(.recorded) == [])
    }

    @Test("A response without a body is withheld whole", arguments: [200, 204, 304])
    func noBody(code: Int) {
        var play = Playbook.sent("HEAD")
        #expect(play.tell([.response(code), .responseEnd]) == ["release upstream", "record completed"])
        #expect(play.tell(.recorded) == ["deliver head", "deliver end", "finish"])
    }

    @Test("A body is sent as it comes, and reading it waits for the connection")
    func upload() {
        var play = Playbook("POST")
        play.tell(.request)
        #expect(!play.machine.takesRequest)
        #expect(play.tell(.requestBody("one")) == [])
        #expect(play.tell(.upstreamReady(isReused: true)) == ["send head", "send one", "flush upstream"])
        #expect(play.machine.takesRequest)
        #expect(play.tell([.requestBody("two"), .requestEnd(ByteBuffer(string: "t"))]) == ["send two", "send end t"])
    }

    @Test("A client that asked before it sent its body is not waited for once it has its answer")
    func refusedExpectation() {
        var play = Playbook("POST", asksFirst: true)
        play.tell(.request)
        play.tell(.upstreamReady(isReused: false))
        #expect(play.machine.refusesBody)
        var invited = play
        #expect(
            play.tell([.response(417), .responseEnd]) == ["drop upstream", "note unread rest", "record completed"]
        )
        #expect(play.tell(.recorded) == ["deliver head", "deliver end", "finish early"])
        // One that was asked for its body, or sends it unasked, is.
        var sending = invited
        invited.tell(.interim(100))
        #expect(!invited.machine.refusesBody)
        #expect(invited.tell([.response(417), .responseEnd]) == ["note response"] && invited.machine.isEarly)
        sending.tell(.requestBody("one"))
        #expect(!sending.machine.refusesBody)
        #expect(sending.tell([.response(417), .responseEnd]) == ["note response"] && sending.machine.isEarly)
    }

    @Test("A response that is complete before the request is delivered once the record has it, and the request goes on")
    func earlyResponse() {
        var play = Playbook("POST")
        play.tell([.request, .upstreamReady(isReused: false), .requestBody("one")])
        #expect(play.tell([.response(413), .responseEnd]) == ["note response"])
        #expect(play.machine.isEarly && !play.machine.isAnswered)
        #expect(play.tell(.requestBody("two")) == ["send two"])
        #expect(play.tell(.responseRecorded) == ["deliver head", "deliver end", "flush client"])
        #expect(play.machine.isAnswered && play.machine.takesRequest && !play.machine.isHeld)
        #expect(play.tell([.requestBody("three"), .responseRecorded]) == ["send three"])
        #expect(play.tell(.requestEnd) == ["send end", "release upstream", "record completed"])
        #expect(play.tell(.recorded) == ["finish"])
        #expect(play.machine.isOver)
    }

    @Test("A request that ends before the record has its response is an ordinary exchange")
    func earlyAndWhole() {
        var play = Playbook.early()
        #expect(
            play.tell([.requestBody("two"), .requestEnd]) == [
                "send two", "send end", "release upstream", "record completed",
            ]
        )
        #expect(play.tell(.responseRecorded) == [])
        #expect(play.tell(.recorded) == ["deliver head", "deliver end", "finish"])
    }

    @Test("An upstream that closes behind its early response has still responded; a client that leaves has not had it")
    func earlyEnds() {
        var closed = Playbook.early()
        #expect(
            closed.tell(.upstreamBroken(.closed)) == ["drop upstream", "note unread rest", "record completed"]
        )
        #expect(closed.tell(.requestBody("two")) == [])
        #expect(closed.tell(.recorded) == ["deliver head", "deliver end", "finish early"])
        var left = Playbook.early()
        #expect(left.tell(.clientLeft) == ["drop upstream", "record cancelled closed"])
        // There is nobody to wait.
        #expect(left.machine.isHeld && !left.machine.keepsWaiting)
        #expect(left.tell(.recorded) == ["finish early"])
    }

    @Test("A request that goes wrong before the record has its whole response fails; its client has the response")
    func earlyAndWrong() {
        for (last, outcome) in [
            (Fact.refused(Playbook.failure(.badChunk, side: .client, phase: .request)), "failed bad-chunk"),
            (.clientCancelled(Playbook.failure(.closed, side: .client, phase: .request)), "cancelled closed"),
            (.blocked(Playbook.failure(.rule, side: .proxy), isReset: false), "failed rule"),
        ] {
            var play = Playbook.early()
            #expect(play.tell(last) == ["drop upstream", "record \(outcome)"])
            #expect(play.tell([.responseRecorded, last]) == [])
            #expect(play.tell(.recorded) == ["deliver head", "deliver end", "finish early"])
        }
    }

    @Test("With the response delivered, either end may be done with the request; a request that is cut off failed")
    func answeredEnds() {
        let stalled = Fact.clientGone(Playbook.failure(.timeout, side: .client, phase: .request))
        let malformed = Fact.refused(Playbook.failure(.badChunk, side: .client, phase: .request))
        let stopped = Fact.upstreamBroken(Playbook.failure(.shutdown, side: .proxy))
        for (last, outcome) in [
            (Fact.upstreamBroken(.closed), "completed"), (.upstreamOver(.closed), "completed"),
            (.upstreamBroken(.reset), "completed"), (.clientLeft, "completed"),
            (.upstreamBroken(.timeout), "failed timeout"), (stalled, "failed timeout"),
            (malformed, "failed bad-chunk"), (stopped, "failed shutdown"),
            (.blocked(Playbook.failure(.rule, side: .proxy), isReset: false), "failed rule"),
        ] {
            var play = Playbook.early()
            play.tell(.responseRecorded)
            let note = outcome == "completed" ? ["note unread rest"] : []
            #expect(play.tell(last) == ["drop upstream"] + note + ["record \(outcome)"], "\(last)")
            #expect(!play.endsWithAnswer)
            #expect(play.tell(.recorded) == ["finish early"])
        }
    }

    @Test("A client of HTTP/1 does not have the last of the content before the record, though the end is late")
    func lateEnd() {
        for framing in [BodyFraming.none, .length(3)] {
            let withheld = framing == .none ? "deliver head" : "deliver body two"
            var play = Playbook.sent()
            #expect(play.tell([.response(200, framing), .responsePaused]).last == "flush client")
            if framing != .none {
                #expect(!play.machine.lacksEnd)
                #expect(play.tell([.responseBody("o"), .responsePaused]) == ["deliver body o", "flush client"])
                play = Playbook.sent()
                play.tell(.response(200, .length(6)))
                play.tell([.responseBody("one"), .responseBody("two")])
            }
            #expect(play.machine.lacksEnd && play.tell(.responsePaused) == ["flush client"])
            let overdue = play
            #expect(play.tell(.responseEnd) == ["release upstream", "record completed"])
            #expect(play.tell(.recorded) == [withheld, "deliver end", "finish"])
            // An upstream that leaves, or resets its stream, has said all that matters as well.
            let reset = Fact.upstreamReset(Playbook.failure(.reset, phase: .receive))
            for last in [Fact.deadline(.lastWord), .upstreamOver(.closed), reset] {
                var play = overdue
                #expect(play.tell(last) == ["note unsaid end", "release upstream", "record completed"])
                #expect(play.tell(.responseEnd) == [])
                #expect(play.tell(.recorded) == [withheld, "deliver end", "finish"])
            }
        }
        // A stream has not ended before it is told so.
        var stream = Playbook("GET", isStream: true)
        stream.tell([.request, .upstreamReady(isReused: false), .requestEnd])
        #expect(stream.tell([.response(200, .none), .responsePaused]) == ["deliver head", "flush client"])
        #expect(!stream.machine.lacksEnd)
    }

    @Test("What is too much for a content that is whole is kept from the client with the last of it")
    func tooMuch() {
        var play = Playbook.sent()
        play.tell([.response(200, .length(3)), .responseBody("one")])
        #expect(
            play.tell(.upstreamBroken(.ambiguousFraming)) == [
                "flush client", "drop upstream", "record failed ambiguous-framing",
            ]
        )
        #expect(play.tell(.recorded) == ["break client"])
    }

    @Test("Parts that wait for an upstream are not copied for each that follows")
    func manyParts() {
        func cost(_ count: Int) -> UInt64 {
            var play = Playbook("POST")
            play.tell(.request)
            let part = Fact.requestBody("x")
            let began = threadTime()
            for _ in 0..<count { play.tell(part) }
            return threadTime() - began
        }
        _ = cost(500)
        // Eight times as many cost eight times as much, and not 64 times.
        #expect(cost(16_000) < 24 * cost(2_000))
    }

    private func threadTime() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    @Test("A response may flow while the request does")
    func duplex() {
        var play = Playbook("POST")
        play.tell(.request)
        play.tell(.upstreamReady(isReused: false))
        #expect(
            play.tell([.response(200), .requestBody("a"), .responsePaused]) == [
                "send a", "deliver head", "flush client",
            ]
        )
        #expect(
            play.tell([.responseBody("b"), .requestEnd, .responseEnd]) == [
                "send end", "release upstream", "record completed",
            ]
        )
        #expect(play.tell(.recorded) == ["deliver body b", "deliver end", "finish"])
    }

    @Test("A used connection that turns out to be closed is replaced once", arguments: [Cause.closed, .reset, .broken])
    func retried(cause: Cause) {
        var play = Playbook.sent(isReused: true)
        #expect(play.tell(.upstreamBroken(cause)) == ["drop upstream", "connect afresh"])
        #expect(play.tell(.upstreamReady(isReused: false)) == ["send head", "send end", "flush upstream"])
        #expect(play.tell(.upstreamBroken(cause)) == ["drop upstream", "record failed \(cause)"])
        #expect(play.tell(.recorded) == ["deliver answer", "finish"])
    }

    @Test("An upstream that cannot be had is answered for by the proxy, once that is recorded")
    func unavailable() {
        var play = Playbook("GET")
        play.tell(.request)
        play.tell(.requestEnd)
        #expect(
            play.tell(.upstreamUnavailable(Playbook.failure(.refused, phase: .connect))) == ["record failed refused"]
        )
        #expect(play.endsWithAnswer)
        #expect(play.tell(.recorded) == ["deliver answer", "finish"])
    }

    @Test("A response that breaks off is delivered as far as it came, then broken")
    func brokenResponse() {
        var play = Playbook.sent()
        play.tell(.response(200))
        play.tell(.responseBody("one"))
        #expect(
            play.tell(.upstreamBroken(.closed)) == [
                "deliver body one", "flush client", "drop upstream", "record failed closed",
            ]
        )
        #expect(!play.endsWithAnswer)
        #expect(play.tell([.responseBody("two"), .responseEnd]) == [])
        #expect(play.tell(.recorded) == ["break client"])
    }

    @Test("A client that leaves cancels the exchange and costs the upstream its connection, in whatever state")
    func clientGone() {
        var waiting = Playbook("GET")
        waiting.tell(.request)
        #expect(waiting.tell(.clientLeft) == ["record cancelled closed"])
        #expect(waiting.tell(.upstreamReady(isReused: false)) == ["release upstream"])
        #expect(waiting.tell(.recorded) == ["finish early"])

        var awaiting = Playbook.sent()
        #expect(awaiting.tell(.clientLeft) == ["drop upstream", "record cancelled closed"])
        #expect(awaiting.tell(.recorded) == ["finish early"])

        var flowing = Playbook.sent()
        flowing.tell(.response(200))
        #expect(flowing.tell(.clientLeft) == ["drop upstream", "record cancelled closed"])
        #expect(flowing.tell([.responseBody("x"), .upstreamBroken(.reset), .recorded]) == ["finish early"])

        var held = Playbook.sent()
        held.tell(.response(204))
        held.tell(.responseEnd)
        #expect(held.tell(.clientLeft) == [])

        var uploading = Playbook("POST")
        uploading.tell(.request)
        uploading.tell(.upstreamReady(isReused: false))
        uploading.tell(.requestBody("x"))
        let half = Fact.clientCancelled(Playbook.failure(.closed, side: .client, phase: .request))
        #expect(uploading.tell(half) == ["drop upstream", "record cancelled closed"])
        #expect(uploading.tell(.recorded) == ["break client"])
    }

    @Test("A refused request is answered, and broken off when its response had begun")
    func refused() {
        let failure = Playbook.failure(.malformed, side: .client, phase: .request)
        var first = Playbook("")
        #expect(first.tell(.refused(failure)) == ["record failed malformed"])
        #expect(first.tell(.recorded) == ["deliver answer", "finish early"])

        var uploading = Playbook("POST")
        uploading.tell(.request)
        uploading.tell(.upstreamReady(isReused: false))
        #expect(uploading.tell(.refused(failure)) == ["drop upstream", "record failed malformed"])
        #expect(uploading.endsWithAnswer)

        var answered = Playbook("POST")
        answered.tell(.request)
        answered.tell(.upstreamReady(isReused: false))
        answered.tell(.response(200))
        answered.tell(.responsePaused)
        #expect(answered.tell(.refused(failure)) == ["drop upstream", "record failed malformed"])
        #expect(answered.tell(.recorded) == ["break client"])
    }

    @Test("The heads of interim responses have so many bytes together, and no more")
    func longInterims() {
        let bytes = 2 * Playbook.head(100).raw.readableBytes
        let broken = ["drop upstream", "record failed interim-flood"]
        for (limit, last) in [(bytes, ["deliver interim 103"]), (bytes - 1, broken)] {
            var play = Playbook("GET", interimLimitBytes: limit)
            play.tell([.request, .upstreamReady(isReused: false), .requestEnd])
            #expect(play.tell(.interim(100)) == ["deliver interim 100"])
            #expect(play.tell(.interim(103)) == last)
            let message = "The upstream sent more than \(limit) bytes of interim responses."
            #expect(play.failure?.message == (last == broken ? message : nil))
        }
    }

    @Test("Interim responses pass in order, up to a number")
    func interims() {
        var play = Playbook("GET", interimLimitCount: 2)
        play.tell(.request)
        play.tell(.upstreamReady(isReused: false))
        play.tell(.requestEnd)
        #expect(play.tell([.interim(100), .interim(103)]) == ["deliver interim 100", "deliver interim 103"])
        #expect(play.tell(.interim(102)) == ["drop upstream", "record failed interim-flood"])
        #expect(play.tell(.interim(102)) == [])
        #expect(play.tell(.recorded) == ["deliver answer", "finish"])
    }

    @Test(
        "After a switch of protocols both sides flow, nothing is withheld once the upstream pauses, and both ends are told"
    )
    func switches() {
        var play = Playbook.sent(isReused: true, webSocketRequest: .upgrade)
        #expect(play.tell(.switched) == ["deliver head", "flush client"])
        #expect(play.machine.takesRequest && !play.machine.isRequestEnded && !play.machine.isAwaitingResponse)
        #expect(play.tell(.requestBody("up")) == ["send up"])
        #expect(play.tell([.responseBody("down"), .responsePaused]) == ["deliver body down", "flush client"])
        #expect(play.tell(.requestEnd) == ["end output"])
        let last = ["deliver body last", "flush client", "release upstream", "record cancelled no-close-frame"]
        #expect(play.tell([.responseBody("last"), .responseEnd]) == last)
        #expect(play.tell(.recorded) == ["deliver end", "finish"])
    }

    @Test("A switched connection that breaks is not sent again")
    func switchedBreaks() {
        var play = Playbook.sent(isReused: true, webSocketRequest: .upgrade)
        play.tell(.switched)
        #expect(play.tell(.upstreamBroken(.closed)) == ["flush client", "drop upstream", "record failed closed"])
        #expect(play.tell(.recorded) == ["break client"])
    }

    @Test("A switch before the request is whole, or after a response, changes nothing")
    func switchesOutOfPlace() {
        var play = Playbook("GET", webSocketRequest: .upgrade)
        play.tell(.request)
        play.tell(.upstreamReady(isReused: false))
        #expect(play.tell(.switched) == [] && play.machine.isAwaitingResponse && play.machine.webSocket == nil)
        var answered = Playbook.sent(webSocketRequest: .upgrade)
        answered.tell(.response(200))
        #expect(answered.tell(.switched) == [] && answered.machine.webSocket == nil)
    }
}
