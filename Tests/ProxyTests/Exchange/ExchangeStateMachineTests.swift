import NIOCore
import Testing

@testable import Proxy

@Suite(.timeLimit(.minutes(15)))
struct ExchangeStateMachineTests {
    /// A request that is whole and sent on a connection.
    private func sent(_ method: String = "GET", isReused: Bool = false, body: String? = nil) -> Playbook {
        var play = Playbook(method)
        play.tell(.request)
        play.tell(.upstreamReady(isReused: isReused))
        if let body { play.tell(.requestBody(body)) }
        play.tell(.requestEnd)
        return play
    }

    @Test("A plain exchange: the last part is withheld until the record is committed")
    func plain() {
        var play = Playbook("GET")
        #expect(play.tell(.request) == ["connect"])
        #expect(play.tell(.requestEnd) == [] && play.machine.isRequestEnded)
        #expect(play.tell(.upstreamReady(isReused: false)) == ["send head", "send end", "flush upstream"])
        #expect(play.machine.isAwaitingResponse)
        #expect(play.tell(.response(200)) == [] && !play.machine.isAwaitingResponse)
        #expect(play.tell(.responseBody("one")) == ["deliver 200"])
        #expect(play.tell(.responseBody("two")) == ["deliver body one"])
        #expect(play.tell(.responseEnd) == ["release upstream", "record completed"])
        #expect(play.machine.isHeld && !play.machine.endsWithAnswer)
        #expect(play.tell(.recorded) == ["deliver body two", "deliver end", "finish"])
        #expect(play.machine.isOver)
    }

    @Test("What has come is delivered when the upstream pauses, and the end still waits for the record")
    func pauses() {
        var play = sent()
        #expect(play.tell([.response(200), .responsePaused]) == ["deliver 200", "flush client"])
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
        var play = sent("HEAD")
        #expect(play.tell([.response(code), .responseEnd]) == ["release upstream", "record completed"])
        #expect(play.tell(.recorded) == ["deliver \(code)", "deliver end", "finish"])
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
        var invited = play
        #expect(play.tell([.response(417), .responseEnd]) == ["drop upstream", "record completed"])
        #expect(play.tell(.recorded) == ["deliver 417", "deliver end", "finish early"])
        // One that was asked for its body, or sends it unasked, is.
        var sending = invited
        invited.tell(.interim(100))
        #expect(invited.tell([.response(417), .responseEnd]) == [] && invited.machine.isEarly)
        sending.tell(.requestBody("one"))
        #expect(sending.tell([.response(417), .responseEnd]) == [] && sending.machine.isEarly)
    }

    @Test("A response that is complete before the request waits a moment for its rest")
    func early() {
        var play = Playbook("POST")
        play.tell(.request)
        play.tell(.upstreamReady(isReused: false))
        play.tell(.requestBody("one"))
        #expect(play.tell([.response(413), .responseEnd]) == [] && play.machine.isEarly)
        var rest = play
        #expect(
            rest.tell([.requestBody("two"), .requestEnd]) == [
                "send two", "send end", "release upstream", "record completed",
            ]
        )
        #expect(rest.tell(.recorded) == ["deliver 413", "deliver end", "finish"])
        #expect(play.tell(.earlyExpired) == ["drop upstream", "record completed"])
        #expect(play.tell(.requestBody("two")) == [])
        #expect(play.tell(.recorded) == ["deliver 413", "deliver end", "finish early"])
    }

    @Test("An upstream that closes behind its early response has still responded; a client that leaves has not had it")
    func earlyEnds() {
        for last in [Fact.upstreamBroken("closed"), .clientLeft] {
            var play = Playbook("POST")
            play.tell(.request)
            play.tell(.upstreamReady(isReused: false))
            #expect(play.tell([.response(413), .responseEnd]) == [])
            #expect(play.tell(last).first == "drop upstream")
            #expect(play.machine.isHeld)
        }
    }

    @Test("A response may flow while the request does")
    func duplex() {
        var play = Playbook("POST")
        play.tell(.request)
        play.tell(.upstreamReady(isReused: false))
        #expect(
            play.tell([.response(200), .requestBody("a"), .responsePaused]) == [
                "send a", "deliver 200", "flush client",
            ]
        )
        #expect(
            play.tell([.responseBody("b"), .requestEnd, .responseEnd]) == [
                "send end", "release upstream", "record completed",
            ]
        )
        #expect(play.tell(.recorded) == ["deliver body b", "deliver end", "finish"])
    }

    @Test("A used connection that turns out to be closed is replaced once", arguments: ["closed", "reset", "broken"])
    func retried(cause: String) {
        var play = sent(isReused: true)
        #expect(play.tell(.upstreamBroken(cause)) == ["drop upstream", "connect afresh"])
        #expect(play.tell(.upstreamReady(isReused: false)) == ["send head", "send end", "flush upstream"])
        #expect(play.tell(.upstreamBroken(cause)) == ["drop upstream", "record failed \(cause)"])
        #expect(play.tell(.recorded) == ["deliver answer \(cause)", "finish"])
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

    @Test("An upstream that cannot be had is answered for by the proxy, once that is recorded")
    func unavailable() {
        var play = Playbook("GET")
        play.tell(.request)
        play.tell(.requestEnd)
        #expect(
            play.tell(.upstreamUnavailable(Playbook.failure("refused", phase: .connect))) == ["record failed refused"]
        )
        #expect(play.machine.endsWithAnswer)
        #expect(play.tell(.recorded) == ["deliver answer refused", "finish"])
    }

    @Test("A response that breaks off is delivered as far as it came, then broken")
    func brokenResponse() {
        var play = sent()
        play.tell(.response(200))
        play.tell(.responseBody("one"))
        #expect(
            play.tell(.upstreamBroken("closed")) == [
                "deliver body one", "flush client", "drop upstream", "record failed closed",
            ]
        )
        #expect(!play.machine.endsWithAnswer)
        #expect(play.tell([.responseBody("two"), .responseEnd]) == [])
        #expect(play.tell(.recorded) == ["break client"])
    }

    @Test("A client that leaves costs the upstream its connection, in whatever state")
    func clientGone() {
        var waiting = Playbook("GET")
        waiting.tell(.request)
        #expect(waiting.tell(.clientLeft) == ["record failed closed"])
        #expect(waiting.tell(.upstreamReady(isReused: false)) == ["release upstream"])
        #expect(waiting.tell(.recorded) == ["finish early"])

        var awaiting = sent()
        #expect(awaiting.tell(.clientLeft) == ["drop upstream", "record failed closed"])
        #expect(awaiting.tell(.recorded) == ["finish early"])

        var flowing = sent()
        flowing.tell(.response(200))
        #expect(flowing.tell(.clientLeft) == ["drop upstream", "record failed closed"])
        #expect(flowing.tell([.responseBody("x"), .upstreamBroken("reset"), .recorded]) == ["finish early"])

        var held = sent()
        held.tell(.response(204))
        held.tell(.responseEnd)
        #expect(held.tell(.clientLeft) == [])

        var uploading = Playbook("POST")
        uploading.tell(.request)
        uploading.tell(.upstreamReady(isReused: false))
        uploading.tell(.requestBody("x"))
        let half = Fact.clientGone(Playbook.failure("closed", side: .client, phase: .request))
        #expect(uploading.tell(half) == ["drop upstream", "record failed closed"])
        #expect(uploading.tell(.recorded) == ["break client"])
    }

    @Test("A refused request is answered, and broken off when its response had begun")
    func refused() {
        let failure = Playbook.failure("malformed", side: .client, phase: .request)
        var first = Playbook("")
        #expect(first.tell(.refused(failure)) == ["record failed malformed"])
        #expect(first.tell(.recorded) == ["deliver answer malformed", "finish early"])

        var uploading = Playbook("POST")
        uploading.tell(.request)
        uploading.tell(.upstreamReady(isReused: false))
        #expect(uploading.tell(.refused(failure)) == ["drop upstream", "record failed malformed"])
        #expect(uploading.machine.endsWithAnswer)

        var answered = Playbook("POST")
        answered.tell(.request)
        answered.tell(.upstreamReady(isReused: false))
        answered.tell(.response(200))
        answered.tell(.responsePaused)
        #expect(answered.tell(.refused(failure)) == ["drop upstream", "record failed malformed"])
        #expect(answered.tell(.recorded) == ["break client"])
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
        #expect(play.tell(.recorded) == ["deliver answer interim-flood", "finish"])
    }

    @Test(
        "After a switch of protocols both sides flow, nothing is withheld once the upstream pauses, and both ends are told"
    )
    func switches() {
        var play = sent(isReused: true)
        #expect(play.tell(.switched(101)) == ["deliver 101", "flush client"])
        #expect(play.machine.takesRequest && !play.machine.isRequestEnded && !play.machine.isAwaitingResponse)
        #expect(play.tell(.requestBody("up")) == ["send up"])
        #expect(play.tell([.responseBody("down"), .responsePaused]) == ["deliver body down", "flush client"])
        #expect(play.tell(.requestEnd) == ["send end"])
        #expect(play.tell([.responseBody("last"), .responseEnd]) == ["release upstream", "record completed"])
        #expect(play.tell(.recorded) == ["deliver body last", "deliver end", "finish"])
    }

    @Test("A switched connection that breaks is not sent again")
    func switchedBreaks() {
        var play = sent(isReused: true)
        play.tell(.switched(101))
        #expect(play.tell(.upstreamBroken("closed")) == ["flush client", "drop upstream", "record failed closed"])
        #expect(play.tell(.recorded) == ["break client"])
    }

    @Test("A switch before the request is whole, or after a response, changes nothing")
    func switchesOutOfPlace() {
        var play = Playbook("GET")
        play.tell(.request)
        play.tell(.upstreamReady(isReused: false))
        #expect(play.tell(.switched(101)) == [] && play.machine.isAwaitingResponse)
        var answered = sent()
        answered.tell(.response(200))
        #expect(answered.tell(.switched(101)) == [])
    }
}
