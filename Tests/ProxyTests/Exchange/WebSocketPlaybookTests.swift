import NIOCore
import Testing
import Traffic

@testable import Proxy

/// How an exchange ends that has become a WebSocket.
@Suite(.timeLimit(.minutes(15)))
struct WebSocketPlaybookTests {
    @Test("A response opens the WebSocket that the request asked for, and no other")
    func opens() {
        var plain = Playbook.sent()
        #expect(plain.tell(.switched) == ["drop upstream", "record failed protocol"])
        #expect(plain.failure?.message == "u.test:80 switched protocols without being asked to.")
        #expect(plain.machine.webSocket == nil)
        #expect(plain.tell(.recorded) == ["deliver answer", "finish"])

        for isOnStream in [false, true] {
            for request in [nil, WebSocketRequest.upgrade, .extendedConnect] {
                for code in [200, 204, 302, 400] {
                    var play = Playbook.sent(isOnStream: isOnStream, webSocketRequest: request)
                    play.tell(.response(code))
                    #expect((play.machine.webSocket != nil) == (isOnStream && request != nil && code < 300))
                }
            }
        }
    }

    @Test("One that both sides have closed is complete whatever ends, unless its client says that it is wrong")
    func closedByBoth() {
        // A reset of the upstream's stream takes nothing from its close frame, as one of its connection takes nothing.
        let reset = Fact.upstreamReset(Playbook.failure(.reset))
        for last in [Fact.clientLeft, .requestEnd, .upstreamOver(.closed), .upstreamOver(.reset), reset] {
            var play = Playbook.webSocket()
            #expect(play.tell([Fact.closed(.request), .closed(.request, .response)]) == [])
            #expect(play.tell(last) == ["flush client", "end output", "release upstream", "record completed"])
            #expect(play.tell(.recorded) == ["deliver end", "finish"])
        }
        var play = Playbook.webSocket()
        play.tell(.closed(.request, .response))
        let gone = Fact.clientGone(Playbook.failure(.reset, side: .client, phase: .deliver))
        #expect(play.tell(gone).last == "record failed reset")
    }

    @Test("A client's stream that ends does not end the upstream's half")
    func halves() {
        var play = Playbook.webSocket(isStream: true)
        play.tell(.closed(.request, .response))
        #expect(play.tell(.requestEnd) == ["end output"])
        #expect(play.tell(.responseEnd) == ["flush client", "release upstream", "record completed"])
        // A stream is ended though its other half has ended; half a connection is no more than the whole.
        for isStream in [true, false] {
            var play = Playbook.webSocket(isStream: isStream)
            let end = isStream ? ["end output"] : []
            play.tell(.closed(.response))
            #expect(play.tell(.responseEnd) == ["flush client"] && play.machine.isEarly)
            #expect(play.tell(.requestEnd) == end + ["release upstream", "record completed"])
        }
    }

    @Test("One that its client ends without a close frame is cancelled, unless its bytes could not be read")
    func leftByClient() throws {
        var play = Playbook.webSocket()
        #expect(play.tell([.requestEnd, .responseEnd]).last == "record cancelled no-close-frame")
        let failure = try #require(play.failure)
        #expect(failure.side == .client && failure.phase == .deliver && !failure.retry)
        #expect(failure.message == "The client ended the WebSocket without a close frame (close code 1006).")
        #expect(play.tell(.recorded) == ["deliver end", "finish"])

        var unread = Playbook.webSocket()
        unread.tell(.frames(WebSocketFrames(isUnread: true)))
        #expect(unread.tell([.requestEnd, .responseEnd]).last == "record completed" && unread.failure == nil)
    }

    @Test("One that its upstream ends without a close frame is complete, and that is noted")
    func leftByUpstream() {
        var play = Playbook.webSocket()
        let note = "note u.test:80 ended the WebSocket without a close frame (close code 1006)."
        #expect(
            play.tell([.responseEnd, .requestEnd]) == ["flush client", "release upstream", note, "record completed"]
        )
        #expect(play.failure == nil && play.tell(.recorded) == ["deliver end", "finish"])
    }

    @Test("One that its client leaves is complete where the client has closed it, and cancelled otherwise")
    func left() {
        for (side, outcome) in [(MessageSide.request, "completed"), (.response, "cancelled closed")] {
            var left = Playbook.webSocket()
            left.tell(.closed(side))
            #expect(left.tell(.clientLeft) == ["drop upstream", "record \(outcome)"])
            #expect(left.tell(.recorded) == ["finish early"])
        }
    }

    @Test("One that a side has closed is complete where the upstream breaks off, unless that is within a message")
    func brokenOff() {
        let reset = Playbook.failure(.reset, phase: .receive)
        for side in [MessageSide.request, .response] {
            // A reset of a stream is what one of a connection is (RFC 8441 §5).
            for end in [Fact.upstreamOver(.closed), .upstreamOver(.reset), .upstreamReset(reset)] {
                for isStream in [true, false] {
                    var broken = Playbook.webSocket(isStream: isStream)
                    broken.tell(.closed(side))
                    let effects = broken.tell(end)
                    #expect(effects.last == "record completed", "\(side) \(end)")
                    // It did not say so itself.
                    #expect(effects.contains { $0.hasPrefix("note ") } == (side == .request))
                    #expect(broken.tell(.recorded) == ["deliver end", "finish"])
                }
            }
            let cuts = [Fact.upstreamOver(.reset, isWithinMessage: true), .upstreamReset(reset, isCut: true)]
            for cut in cuts {
                var broken = Playbook.webSocket()
                broken.tell(.closed(side))
                #expect(broken.tell(cut).last == "record failed reset", "\(side) \(cut)")
            }
            var silent = Playbook.webSocket()
            silent.tell(.closed(side))
            #expect(silent.tell(.upstreamOver(.timeout)).last == "record failed timeout")
        }
        var (left, broken) = (Playbook.webSocket(), Playbook.webSocket())
        #expect(left.tell(.clientLeft) == ["drop upstream", "record cancelled closed"])
        #expect(broken.tell(.upstreamOver(.reset)).last == "record failed reset")
    }

    @Test("The client's answer to the upstream's close frame is waited for, and nothing of it is noted")
    func lastWord() {
        var play = Playbook.webSocket()
        play.tell(.closed(.response))
        #expect(play.tell(.responseEnd) == ["flush client"])
        var (overdue, left) = (play, play)
        #expect(
            play.tell([.requestBody("bye"), .closed(.request, .response)]) == [
                "send bye", "release upstream", "record completed",
            ]
        )
        #expect(overdue.tell(.deadline(.lastWord)) == ["drop upstream", "record completed"])
        #expect(left.tell(.upstreamOver(.closed)) == [] && left.machine.isEarly)
    }

    @Test(
        "A proxy that stops closes it on both sides, passes nothing on behind that, and ends it when both have answered"
    )
    func stopping() {
        var goingAway = GoingAway { _ in false }
        (goingAway.request, goingAway.response) = (ByteBuffer(string: "up"), ByteBuffer(string: "down"))
        var play = Playbook.webSocket()
        #expect(
            play.tell(.stopping(goingAway, now: .uptimeNanoseconds(1))) == [
                "send up", "note closed web socket", "flush upstream", "deliver body down", "flush client",
            ]
        )
        #expect(play.machine.webSocket?.closed == .uptimeNanoseconds(1))
        #expect(play.tell([.requestBody("x"), .responseBody("y"), .closed(.request)]) == [])
        #expect(play.tell(.stopping(goingAway, now: .uptimeNanoseconds(2))) == [])
        #expect(
            play.tell(.closed(.request, .response)) == [
                "flush client", "end output", "release upstream", "record completed",
            ]
        )

        // A side that has closed it needs no frame.
        var half = Playbook.webSocket()
        half.tell(.closed(.request))
        goingAway.request = nil
        #expect(half.tell(.stopping(goingAway, now: .uptimeNanoseconds(1))).contains("deliver body down"))
        // Where none is written, nothing is noted: both sides have closed it, or one has and the other has left.
        var closed = Playbook.webSocket()
        closed.tell(.closed(.request, .response))
        #expect(
            closed.tell(.stopping(goingAway, now: .uptimeNanoseconds(1))) == [
                "flush client", "end output", "release upstream", "record completed",
            ]
        )
        var left = Playbook.webSocket()
        left.tell([.closed(.response), .requestEnd])
        #expect(left.tell(.stopping(goingAway, now: .uptimeNanoseconds(1))) == [])
        #expect(left.machine.webSocket?.closed == nil)
        // There may be no place for one.
        var busy = Playbook.webSocket()
        #expect(busy.tell(.stopping(goingAway, now: .uptimeNanoseconds(1))) == [])
        #expect(busy.machine.webSocket?.closed == nil)
    }
}
