import NIOCore
import Testing
import Traffic

@testable import Proxy

/// An exchange that waits, what ends the wait, and what that leads to.
struct DeadlineCase: CustomTestStringConvertible, Sendable {
    /// When the last thing happened that the wait counts from.
    static let start = NIODeadline.uptimeNanoseconds(3_600_000_000_000)
    /// Limits of which no two are alike.
    static let limits = ExchangeDeadlines(
        hold: .seconds(1),
        lastWord: .milliseconds(250),
        firstByte: .seconds(7),
        idle: .seconds(5),
        openStream: .seconds(60),
        rest: .seconds(2)
    )

    /// Something that a wait may count from.
    enum Mark: CaseIterable {
        case held, answering, active, paused, sending, unread
        /// The close frames of a proxy that stops, which the play has sent at the start.
        case closed
    }

    /// What finds the wait over.
    enum Finder { case ofRecord, ofPeers, ofRest }

    let testDescription: String
    /// How it came to wait.
    let play: @Sendable () -> Playbook
    /// For how long it waits.
    let limit: TimeAmount
    /// What it waits for so long after, whichever was last.
    let marks: [Mark]
    /// What it is told then.
    let deadline: Deadline
    /// What its shell does then.
    let effects: [String]
    /// Side, phase and message of the failure that is recorded; `nil` where none is.
    let failure: String?
    /// What the shell does once that is recorded.
    let end: [String]
    /// Changes what a look measures.
    let look: @Sendable (inout ExchangeLook) -> Void
    /// What finds it over.
    let finder: Finder

    init(
        _ name: String,
        _ finder: Finder,
        after limit: TimeAmount,
        from marks: [Mark] = [.active, .paused, .sending],
        _ deadline: Deadline,
        _ effects: [String],
        failure: String? = nil,
        end: [String] = [],
        play: @escaping @Sendable () -> Playbook,
        look: @escaping @Sendable (inout ExchangeLook) -> Void = { _ in }
    ) {
        testDescription = name
        self.play = play
        self.limit = limit
        self.marks = marks
        self.deadline = deadline
        self.effects = effects
        self.failure = failure
        self.end = end
        self.look = look
        self.finder = finder
    }

    /// The deadline that is over so long after the last of its marks.
    ///
    /// The others that the wait counts from are each of another time before that; all that it does not count from is of the very moment.
    func due(after time: TimeAmount, _ last: Mark, _ machine: ExchangeStateMachine) -> Deadline? {
        let now = Self.start + time
        var marks = ExchangeMarks(began: Self.start - .hours(1))
        var look = ExchangeLook(now: now, upstream: .init(mayLeaveEndUnsaid: true, isWritable: true))
        self.look(&look)
        for (number, mark) in Mark.allCases.enumerated() {
            let isOwn = self.marks.contains(mark)
            let time = mark == last ? Self.start : isOwn ? Self.start - .seconds(Int64(number + 1)) : now
            switch mark {
            case .held: marks.held = time
            case .answering: marks.answering = time
            case .active: marks.active = time
            case .paused: marks.paused = time
            case .sending: marks.sending = SocketProgress(since: time)
            case .unread: if look.unreadSince != nil { look.unreadSince = time }
            case .closed: break
            }
        }
        return switch finder {
        case .ofRecord: Self.limits.ofRecord(machine, marks, at: now)
        case .ofPeers: Self.limits.ofPeers(machine, &marks, look)
        case .ofRest: Self.limits.ofRest(machine, marks, isEventStream: look.isResponseStream, at: now)
        }
    }

    /// A request with content, of which more is to come.
    private static func uploading() -> Playbook {
        var play = Playbook("POST")
        play.tell([.request, .upstreamReady(isReused: true), .requestBody("one")])
        return play
    }

    /// A response of which more is to come.
    private static func downloading() -> Playbook {
        var play = Playbook.sent()
        play.tell([.response(200), .responsePaused])
        return play
    }

    static let ofRecord = [
        DeadlineCase(
            "hold: a client does not wait for the record any longer",
            .ofRecord,
            after: .seconds(1),
            from: [.held],
            .hold,
            ["note late", "deliver head", "deliver end", "finish"]
        ) {
            var play = Playbook.sent()
            play.tell([.response(204, .none), .responseEnd])
            return play
        },
        DeadlineCase(
            "hold: nobody waits for the record",
            .ofRecord,
            after: .seconds(1),
            from: [.held],
            .hold,
            ["finish early"],
            failure: "client deliver closed"
        ) {
            var play = downloading()
            play.tell(.clientLeft)
            return play
        },
        DeadlineCase(
            "response hold: a client has its response before the record, and its request goes on",
            .ofRecord,
            after: .seconds(1),
            from: [.answering],
            .responseHold,
            ["note late", "deliver head", "deliver end", "flush client"],
            play: Playbook.early
        ),
    ]

    static let ofPeers = [
        DeadlineCase(
            "last word: an upstream does not end its stream",
            .ofPeers,
            after: .milliseconds(250),
            from: [.active, .paused],
            .lastWord,
            ["note unsaid end", "release upstream", "record completed"],
            end: ["deliver head", "deliver end", "finish"]
        ) {
            var play = Playbook.sent()
            play.tell([.response(200, .none), .responsePaused])
            return play
        },
        DeadlineCase(
            "last word: a WebSocket's client does not answer that it is closed",
            .ofPeers,
            after: .milliseconds(250),
            from: [.active, .paused],
            .lastWord,
            ["drop upstream", "record completed"],
            end: ["deliver end", "finish early"],
            play: {
                var play = Playbook.webSocket()
                play.tell([.closed(.response), .responseEnd])
                return play
            },
            look: { $0.takesResponse = false }
        ),
        DeadlineCase(
            "first byte: an upstream does not answer",
            .ofPeers,
            after: .seconds(7),
            .silence(.seconds(7), since: start),
            ["report silence", "drop upstream", "record failed timeout"],
            failure: "upstream wait u.test:80 sent nothing for 7 s.",
            end: ["deliver answer", "finish"],
            play: { Playbook.sent(isReused: true) }
        ),
        DeadlineCase(
            "idle: a response stalls",
            .ofPeers,
            after: .seconds(5),
            .silence(.seconds(5), since: start),
            ["report silence", "flush client", "drop upstream", "record failed timeout"],
            failure: "upstream receive u.test:80 sent nothing for 5 s.",
            end: ["break client"],
            play: downloading
        ),
        DeadlineCase(
            "idle: a response stalls before its request is complete",
            .ofPeers,
            after: .seconds(5),
            .silence(.seconds(5), since: start),
            ["report silence", "flush client", "drop upstream", "record failed timeout"],
            failure: "upstream receive u.test:80 sent nothing for 5 s.",
            end: ["break client"]
        ) {
            var play = uploading()
            play.tell([.response(200), .responsePaused])
            return play
        },
        DeadlineCase(
            "idle: a request stalls",
            .ofPeers,
            after: .seconds(5),
            .stalled,
            ["drop upstream", "record failed timeout"],
            failure: "client request The client stopped sending its request.",
            end: ["break client"],
            play: uploading
        ),
        DeadlineCase(
            "idle: an upstream says nothing to a client that asks first",
            .ofPeers,
            after: .seconds(5),
            .silence(.seconds(5), since: start),
            ["report silence", "drop upstream", "record failed timeout"],
            failure: "upstream wait u.test:80 sent nothing for 5 s.",
            end: ["deliver answer", "finish early"]
        ) {
            var play = Playbook("POST", asksFirst: true)
            play.tell([.request, .upstreamReady(isReused: true)])
            return play
        },
        DeadlineCase(
            "idle: a request stalls whose response was delivered",
            .ofPeers,
            after: .seconds(5),
            .stalled,
            ["drop upstream", "record failed timeout"],
            failure: "client request The client stopped sending its request.",
            end: ["finish early"]
        ) {
            var play = Playbook.early()
            play.tell(.responseRecorded)
            return play
        },
        DeadlineCase(
            "idle: an upstream takes nothing more of a request",
            .ofPeers,
            after: .seconds(5),
            .untaken(.seconds(5)),
            ["drop upstream", "record failed timeout"],
            failure: "upstream wait u.test:80 took nothing more of the request for 5 s.",
            end: ["deliver answer", "finish early"],
            play: uploading,
            look: { $0.upstream?.isWritable = false }
        ),
        DeadlineCase(
            "client unread: a client takes nothing of a response",
            .ofPeers,
            after: .seconds(5),
            from: [.active, .unread],
            .unread(.seconds(5)),
            ["drop upstream", "record failed timeout", "cut off client"],
            failure: "client deliver The client took nothing more of the response for 5 s.",
            end: ["finish early"],
            play: downloading,
            look: { ($0.takesResponse, $0.unreadSince) = (false, start) }
        ),
        DeadlineCase(
            "idle: a WebSocket is silent",
            .ofPeers,
            after: .seconds(60),
            .silence(.seconds(60), since: start),
            ["report silence", "flush client", "drop upstream", "record failed timeout"],
            failure: "upstream receive u.test:80 sent nothing for 60 s.",
            end: ["break client"]
        ) {
            Playbook.webSocket()
        },
        DeadlineCase(
            "idle: a stream of messages is silent",
            .ofPeers,
            after: .seconds(60),
            .silence(.seconds(60), since: start),
            ["report silence", "flush client", "drop upstream", "record failed timeout"],
            failure: "upstream receive u.test:80 sent nothing for 60 s.",
            end: ["break client"],
            play: downloading,
            look: { $0.isResponseStream = true }
        ),
        DeadlineCase(
            "idle: a request that is a stream of messages is silent",
            .ofPeers,
            after: .seconds(60),
            .stalled,
            ["drop upstream", "record failed timeout"],
            failure: "client request The client stopped sending its request.",
            end: ["break client"],
            play: uploading,
            look: { $0.isRequestStream = true }
        ),
    ]

    static let ofRest = [
        DeadlineCase(
            "drain rest: an event stream rests",
            .ofRest,
            after: .seconds(2),
            from: [.active, .paused],
            .rest,
            ["flush client", "leave upstream", "record failed shutdown"],
            failure: "proxy receive The proxy was stopped, and ended the event stream.",
            end: ["leave client"],
            play: downloading,
            look: { $0.isResponseStream = true }
        ),
        DeadlineCase(
            "drain rest: a WebSocket rests that could not be closed",
            .ofRest,
            after: .seconds(2),
            from: [.active, .paused],
            .rest,
            ["flush client", "leave upstream", "record failed shutdown"],
            failure: "proxy receive The proxy was stopped, and ended the WebSocket.",
            end: ["leave client"]
        ) { Playbook.webSocket() },
        DeadlineCase(
            "last word: an upstream does not end a WebSocket that it has closed and its client has left",
            .ofRest,
            after: .milliseconds(250),
            from: [.active, .paused],
            .rest,
            ["flush client", "release upstream", "record completed"],
            end: ["deliver end", "finish"]
        ) {
            var play = Playbook.webSocket()
            play.tell([.closed(.response), .requestEnd])
            return play
        },
        DeadlineCase(
            "last word: a WebSocket's sides do not answer that the proxy has closed it",
            .ofRest,
            after: .milliseconds(250),
            from: [.closed],
            .rest,
            ["flush client", "leave upstream", "record failed shutdown"],
            failure: "proxy receive The proxy was stopped, and ended the WebSocket.",
            end: ["leave client"]
        ) {
            var goingAway = GoingAway { _ in false }
            (goingAway.request, goingAway.response) = (ByteBuffer(string: "up"), ByteBuffer(string: "down"))
            var play = Playbook.webSocket()
            play.tell(.stopping(goingAway, now: start))
            return play
        },
    ]
}
