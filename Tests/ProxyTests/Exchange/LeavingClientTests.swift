import Testing
import Traffic

@testable import Proxy

/// How an exchange ends whose client goes away: it is cancelled, or completed where the client has all that it needs.
@Suite("A client that leaves", .timeLimit(.minutes(15)))
struct LeavingClientTests {
    @Test(
        "A redirect whose head its client has is complete, and the rest of it is noted as unread",
        arguments: [301, 302, 303, 307, 308]
    )
    func redirect(code: Int) {
        for paused in [[Fact.responsePaused], [.responseBody("see"), .responseBody("there")]] {
            var play = Playbook.sent()
            play.tell([.response(code, .length(900))] + paused)
            #expect(play.tell(.clientLeft) == ["note unread redirect", "drop upstream", "record completed"])
            #expect(play.failure == nil && play.tell(.recorded) == ["finish early"])
        }
    }

    @Test("A redirect is cancelled whose head is withheld, or whose request is not complete")
    func earlyRedirect() {
        var withheld = Playbook.sent()
        withheld.tell(.response(302, .length(900)))
        #expect(withheld.tell(.clientLeft) == ["drop upstream", "record cancelled closed"])
        var uploading = Playbook("POST")
        uploading.tell([.request, .upstreamReady(isReused: false), .requestBody("x")])
        uploading.tell([.response(307, .length(900)), .responsePaused])
        #expect(uploading.tell(.clientLeft) == ["drop upstream", "record cancelled closed"])
    }

    @Test("A response that is no redirect is cancelled, whatever it says", arguments: [200, 206, 300, 304, 404, 500])
    func others(code: Int) {
        var play = Playbook.sent()
        play.tell([.response(code), .responsePaused, .responseBody("data: 1"), .responsePaused])
        #expect(play.tell(.clientLeft) == ["drop upstream", "record cancelled closed"])
        #expect(play.failure?.side == .client && play.tell(.recorded) == ["finish early"])
    }

    @Test("A response is complete where its client was sent all that its head had promised")
    func whole() {
        for framing in [BodyFraming.none, .length(3)] {
            for isSent in [true, false] {
                var stream = Playbook("GET", isStream: true)
                stream.tell([.request, .upstreamReady(isReused: false, isStream: true), .requestEnd])
                stream.tell(.response(200, framing))
                if framing != .none { stream.tell(.responseBody("one")) }
                #expect(stream.tell(.responsePaused).last == "flush client" && !stream.machine.lacksEnd)
                if isSent { stream.tell(.contentSent) }
                let cancel = Fact.clientCancelled(Playbook.failure(.reset, side: .client, phase: .deliver))
                let end = isSent ? "record completed" : "record cancelled reset"
                #expect(stream.tell(cancel) == ["drop upstream", end])
            }
        }
    }

    @Test("A response is cancelled whose last piece its client of HTTP/1 was not sent, or whose content is short")
    func short() {
        for framing in [BodyFraming.none, .length(3)] {
            var play = Playbook.sent()
            play.tell(.response(200, framing))
            if framing != .none { play.tell(.responseBody("one")) }
            play.tell(.responsePaused)
            #expect(play.machine.lacksEnd)
            #expect(play.tell(.clientLeft) == ["drop upstream", "record cancelled closed"])
        }
        // Of a redirect the head is enough.
        var redirect = Playbook.sent()
        redirect.tell([.response(302, .length(3)), .responsePaused, .responseBody("one"), .responsePaused])
        #expect(redirect.tell(.clientLeft) == ["note unread redirect", "drop upstream", "record completed"])
        var short = Playbook.sent()
        short.tell([.response(200, .length(4)), .responseBody("one"), .responsePaused])
        #expect(short.tell(.clientLeft) == ["drop upstream", "record cancelled closed"])
    }

    @Test("A client that is thrown out for breaking the rules has not left: its exchange has failed")
    func thrownOut() {
        let breach = Fact.clientOver(Playbook.failure(.http2, side: .client, phase: .deliver))
        for code in [200, 302] {
            var play = Playbook.sent()
            play.tell([.response(code), .responsePaused])
            #expect(play.tell(breach) == ["drop upstream", "record failed http2"])
            #expect(play.failure?.side == .client && play.tell(.recorded) == ["finish early"])
        }
        var (waiting, webSocket) = (Playbook.sent(), Playbook.webSocket(isStream: true))
        #expect(waiting.tell(breach) == ["drop upstream", "record failed http2"])
        webSocket.tell(.closed(.request))
        #expect(webSocket.tell(breach) == ["drop upstream", "record failed http2"])
    }

    @Test("A break that is the proxy's own doing is a failure")
    func ownBreak() {
        var play = Playbook.sent()
        play.tell([.response(200), .responsePaused])
        let own = Fact.clientOver(Playbook.failure(.closed, side: .proxy, phase: .deliver))
        #expect(play.tell(own) == ["drop upstream", "record failed closed"])
    }
}
