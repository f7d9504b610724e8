import NIOCore
import Testing
import Traffic

@testable import Proxy

/// Which wait of an exchange ends when, and what that leads to; no test waits.
@Suite(.timeLimit(.minutes(15)))
struct ExchangeDeadlinesTests {
    /// The wait for the client or the upstream that a look finds over.
    private static func ofPeers(
        _ exchange: ExchangeStateMachine,
        _ marks: Proxy.ExchangeMarks,
        _ look: ExchangeLook
    ) -> Deadline? {
        var marks = marks
        return DeadlineCase.limits.ofPeers(exchange, &marks, look)
    }

    @Test(
        "A wait ends when its limit is over, not a millisecond before, and leads to its end",
        arguments: DeadlineCase.ofRecord + DeadlineCase.ofPeers + DeadlineCase.ofRest
    )
    func ends(_ wait: DeadlineCase) throws {
        for last in wait.marks {
            var play = wait.play()
            #expect(wait.due(after: wait.limit - .milliseconds(1), last, play.machine) == nil, "\(last)")
            let deadline = try #require(wait.due(after: wait.limit, last, play.machine), "\(last)")
            #expect(deadline == wait.deadline, "\(last)")
            #expect(play.tell(.deadline(deadline)) == wait.effects)
            #expect(play.failure.map { "\($0.side) \($0.phase) \($0.message)" } == wait.failure)
            #expect(play.failure?.retry != true)
            if !wait.end.isEmpty { #expect(play.tell(.recorded) == wait.end) }
            // It ends once.
            #expect(play.tell(.deadline(deadline)) == [])
        }
    }

    @Test("What we do not read is nobody's silence", arguments: DeadlineCase.ofPeers)
    func paused(_ wait: DeadlineCase) {
        let now = DeadlineCase.start + wait.limit
        var look = ExchangeLook(now: now, upstream: .init(mayLeaveEndUnsaid: true, isWritable: true))
        wait.look(&look)
        (look.isRecordFull, look.takesResponse, look.unreadSince) = (true, false, nil)
        var marks = ExchangeMarks(began: DeadlineCase.start)
        let deadline = DeadlineCase.limits.ofPeers(wait.play().machine, &marks, look)
        #expect(deadline == nil && marks.paused == now)
    }

    @Test("An exchange without an upstream, one that is over and a plain one while the proxy stops wait for no peer")
    func unwatched() {
        let later = DeadlineCase.start + .hours(1)
        let marks = ExchangeMarks(began: DeadlineCase.start)
        var connecting = Playbook("GET")
        connecting.tell([.request, .requestEnd])
        #expect(Self.ofPeers(connecting.machine, marks, ExchangeLook(now: later)) == nil)
        let look = ExchangeLook(now: later, upstream: .init(mayLeaveEndUnsaid: true, isWritable: true))
        var ended = Playbook.sent()
        ended.tell([.response(200), .responseEnd])
        #expect(Self.ofPeers(ended.machine, marks, look) == nil)
        ended.tell(.recorded)
        #expect(Self.ofPeers(ended.machine, marks, look) == nil)
        #expect(DeadlineCase.limits.ofRecord(ended.machine, marks, at: later) == nil)
        #expect(DeadlineCase.limits.ofRest(Playbook.sent().machine, marks, isEventStream: false, at: later) == nil)
    }

    @Test("The end of a stream is waited for as long as any byte where it is always said")
    func saidEnd() {
        let wait = DeadlineCase.ofPeers[0]
        let marks = ExchangeMarks(began: DeadlineCase.start)
        let upstream = ExchangeLook.Upstream(mayLeaveEndUnsaid: false, isWritable: true)
        for (time, deadline) in [
            (DeadlineCase.limits.lastWord, nil),
            (DeadlineCase.limits.idle, Deadline.silence(DeadlineCase.limits.idle, since: DeadlineCase.start)),
        ] {
            let look = ExchangeLook(now: DeadlineCase.start + time, upstream: upstream)
            #expect(Self.ofPeers(wait.play().machine, marks, look) == deadline)
        }
    }

    @Test("A stream rests only while its response goes on")
    func restless() {
        var awaiting = Playbook.sent()
        #expect(awaiting.tell(.deadline(.rest)) == [])
        var whole = DeadlineCase.ofPeers[0].play()
        #expect(whole.tell(.deadline(.rest)) == [])
        var early = Playbook.early()
        #expect(early.tell(.deadline(.rest)) == [])
    }

    @Test("A WebSocket that was closed this very moment goes on, though no last word is waited for")
    func closedNow() {
        var limits = DeadlineCase.limits
        limits.lastWord = .nanoseconds(0)
        var goingAway = GoingAway { _ in false }
        (goingAway.request, goingAway.response) = (ByteBuffer(string: "up"), ByteBuffer(string: "down"))
        var play = Playbook.webSocket()
        play.tell(.stopping(goingAway, now: DeadlineCase.start))
        let marks = ExchangeMarks(began: DeadlineCase.start)
        let cases: [(TimeAmount, Deadline?)] = [(.nanoseconds(0), nil), (.nanoseconds(1), .rest)]
        for (time, deadline) in cases {
            let now = DeadlineCase.start + time
            #expect(limits.ofRest(play.machine, marks, isEventStream: false, at: now) == deadline)
        }
    }

    @Test("A proxy that has waited long enough cuts an exchange off, with an answer where there is no response yet")
    func cut() {
        var uploading = Playbook("POST")
        uploading.tell([.request, .upstreamReady(isReused: true)])
        var downloading = Playbook.sent()
        downloading.tell([.response(200), .responsePaused])
        var answered = Playbook.early()
        answered.tell(.responseRecorded)
        for (play, phase, effects, end) in [
            (uploading, ExchangeFailure.Phase.request, [], ["deliver answer", "finish early"]),
            (Playbook.sent(isReused: true), .wait, [], ["deliver answer", "finish"]),
            (downloading, .receive, ["flush client"], ["break client"]),
            (Playbook.early(), .receive, [], ["deliver head", "deliver end", "finish early"]),
            (answered, .receive, [], ["finish early"]),
        ] {
            var play = play
            #expect(play.tell(.deadline(.cut)) == effects + ["drop upstream", "record failed shutdown"])
            #expect(play.failure?.side == .proxy && play.failure?.phase == phase)
            #expect(
                play.failure?.message == "The proxy was stopped, and this had not ended when it had waited long enough."
            )
            #expect(play.tell(.deadline(.cut)) == [])
            #expect(play.tell(.recorded) == end)
        }
    }

    @Test("An exchange that is not to go on is answered, or its response broken off")
    func givenUp() {
        let failure = Playbook.failure(.notAllowed, side: .proxy, phase: .connect)
        var awaiting = Playbook.sent(isReused: true)
        #expect(awaiting.tell(.givenUp(failure)) == ["drop upstream", "record failed not-allowed"])
        #expect(awaiting.tell(.recorded) == ["deliver answer", "finish"])
        var flowing = Playbook.sent()
        flowing.tell(.response(200))
        #expect(
            flowing.tell(.givenUp(failure)) == [
                "deliver head", "flush client", "drop upstream", "record failed not-allowed",
            ]
        )
        #expect(flowing.tell(.recorded) == ["break client"])
    }
}
