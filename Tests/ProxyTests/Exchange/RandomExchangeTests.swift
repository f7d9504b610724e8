import NIOCore
import Support
import Testing
import Traffic

@testable import Proxy

@Suite(.timeLimit(.minutes(15)))
struct RandomExchangeTests {
    private static let methods = ["GET", "POST", "HEAD", "PUT", ""]
    private static let webSocketRequests: [WebSocketRequest?] = [nil, .upgrade, .extendedConnect]

    /// Some fact, whether it makes sense now or not.
    private func fact(_ random: inout SeededGenerator) -> Fact {
        let causes: [Cause] = [.closed, .reset, .timeout, .malformed]
        switch Int.random(in: 0..<29, using: &random) {
        case 0: return .request
        case 1: return .requestBody("q")
        case 2: return .requestEnd
        case 3: return .upstreamReady(isReused: .random(using: &random), isStream: .random(using: &random))
        case 4:
            let cause = [Cause.refused, .upstreamNoApplicationProtocol].randomElement(using: &random) ?? .refused
            return .upstreamUnavailable(
                Playbook.failure(cause, phase: .connect),
                offersLess: .random(using: &random)
            )
        case 5: return .interim(103)
        case 6:
            let framing = [BodyFraming.chunked, .none, .length(2)].randomElement(using: &random) ?? .chunked
            return .response(Bool.random(using: &random) ? 200 : 302, framing)
        case 7, 8: return .responseBody("s")
        case 9: return .responseEnd
        case 10: return .responsePaused
        case 11: return .upstreamBroken(causes.randomElement(using: &random) ?? .closed)
        case 12: return .refused(Playbook.failure(.malformed, side: .client, phase: .request))
        case 13: return .clientLeft
        case 14:
            let second = TimeAmount.seconds(1)
            let deadlines: [Deadline] = [
                .hold, .responseHold, .lastWord, .unread(second), .silence(second, since: .uptimeNanoseconds(1)),
                .untaken(second), .stalled, .rest, .cut,
            ]
            return .deadline(deadlines.randomElement(using: &random) ?? .cut)
        case 18: return .givenUp(Playbook.failure(.notAllowed, phase: .connect))
        case 24: return .clientCancelled(Playbook.failure(.reset, side: .client, phase: .deliver))
        case 15:
            var failure = Playbook.failure(.reset)
            failure.retry = Bool.random(using: &random)
            return .upstreamReset(failure, isCut: .random(using: &random))
        case 16: return .switched
        case 17: return .responseRecorded
        case 19:
            return .frames(
                WebSocketFrames(
                    isRequestClosed: .random(using: &random),
                    isResponseClosed: .random(using: &random),
                    isUnread: .random(using: &random)
                )
            )
        case 23: return .upstreamOutdated
        case 25: return .contentSent
        case 26:
            return .blocked(Playbook.failure(.rule, side: .proxy, phase: .request), isReset: .random(using: &random))
        case 20:
            let cause = causes.randomElement(using: &random) ?? .closed
            return .upstreamOver(cause, isWithinMessage: .random(using: &random))
        case 21: return .clientGone(Playbook.failure(.reset, side: .client, phase: .deliver))
        case 22:
            var goingAway = GoingAway { _ in false }
            if Bool.random(using: &random) { goingAway.request = ByteBuffer(string: "q") }
            if Bool.random(using: &random) { goingAway.response = ByteBuffer(string: "s") }
            return .stopping(goingAway, now: .uptimeNanoseconds(1))
        default: return .recorded
        }
    }

    @Test("The random facts are of every kind there is")
    func everyKind() {
        var random = SeededGenerator(seed: 1)
        let kinds = Set((0..<1_000).map { _ in fact(&random).kind })
        #expect(kinds == Set(0..<Fact.kindCount))
    }

    @Test("Facts in any order are recorded once, and end the exchange once, after that", arguments: 0..<20)
    func anyFacts(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<500 {
            var play = Playbook(
                Self.methods.randomElement(using: &random) ?? "",
                interimLimitCount: 3,
                isStream: seed % 2 == 1,
                webSocketRequest: Self.webSocketRequests.randomElement(using: &random) ?? nil
            )
            let told =
                (0..<Int.random(in: 1..<25, using: &random)).map { _ in fact(&random) } + [.clientLeft, .recorded]
            let effects = play.tell(told)
            let broken = endingFaults(in: effects)
            #expect(broken.isEmpty && play.machine.isOver, "\(broken) in \(effects) after \(told)")
        }
    }

    @Test("Facts as a shell tells them deliver one response in order, and nothing after the end", arguments: 0..<40)
    func plausibleFacts(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed + 1_000))
        for _ in 0..<500 {
            let play = Playbook(
                Self.methods.randomElement(using: &random) ?? "",
                interimLimitCount: 3,
                isStream: seed % 2 == 1,
                webSocketRequest: Self.webSocketRequests.randomElement(using: &random) ?? nil
            )
            var shell = RandomShell(play)
            for _ in 0..<Int.random(in: 1..<40, using: &random) {
                let next = fact(&random)
                if shell.admits(next) { shell.tell(next) }
            }
            for last in [Fact.request, .clientLeft, .recorded] where shell.admits(last) { shell.tell(last) }
            let broken = endingFaults(in: shell.effects) + deliveryFaults(in: shell.effects, isLeft: shell.isLeft)
            #expect(broken.isEmpty && shell.play.machine.isOver, "\(broken) in \(shell.effects)")
        }
    }

    private func endingFaults(in effects: [String]) -> [String] {
        var found: [String] = []
        let records = effects.indices.filter { effects[$0].hasPrefix("record ") }
        let ends = effects.indices.filter { isEnd(effects[$0]) }
        if records.count != 1 { found.append("recorded \(records.count) times") }
        if ends.count != 1 { found.append("ended \(ends.count) times") }
        if let end = ends.first, let record = records.first, record > end { found.append("ended before the record") }
        return found
    }

    /// What is wrong with the deliveries; `isLeft` says that the client's leave led to the record.
    private func deliveryFaults(in effects: [String], isLeft: Bool) -> [String] {
        var found: [String] = []
        if let end = effects.firstIndex(where: isEnd), end + 1 != effects.count {
            found.append("went on after the end")
        }
        let heads = effects.indices.filter { effects[$0] == "deliver head" }
        if heads.count + effects.count(where: { $0.hasPrefix("deliver answer") }) > 1 {
            found.append("delivered two responses")
        }
        let content = effects.firstIndex { $0.hasPrefix("deliver body") || $0.hasPrefix("deliver end") }
        if let content, (heads.first ?? .max) > content { found.append("delivered content before a head") }
        let ends = effects.count { $0.hasPrefix("deliver end") }
        // A response may be complete whose request is then cut off.
        let isCompleted = ["record completed", "record cancelled no-close-frame"].contains(where: effects.contains)
        if ends > 1 || (isCompleted && ends == 0 && !isLeft)
            || (ends == 1 && !isCompleted && !effects.contains("note response"))
        {
            found.append("ended what is not complete, or the reverse")
        }
        if let end = effects.firstIndex(where: { $0.hasPrefix("deliver end") }),
            !effects[..<end].contains(where: { $0.hasPrefix("record ") || $0 == "note response" })
        {
            found.append("ended a response before the record had it")
        }
        if effects.contains("record completed"),
            !effects.allSatisfy({ !$0.hasSuffix(" client") || $0 == "flush client" })
        {
            found.append("broke what is complete")
        }
        if effects.count(where: { $0 == "connect afresh" }) > 1 { found.append("sent again twice") }
        let given = effects.count { $0 == "send head" }
        if effects.count(where: endsUpstream) != given {
            found.append("left an upstream")
        }
        return found
    }
}

private func isEnd(_ effect: String) -> Bool {
    effect.hasPrefix("finish") || effect == "break client" || effect == "leave client"
}

private func endsUpstream(_ effect: String) -> Bool {
    ["release upstream", "drop upstream", "leave upstream"].contains(effect)
}

/// What a shell round the machine would tell it, and when.
private struct RandomShell {
    private(set) var play: Playbook
    private(set) var effects: [String] = []
    /// Whether the client's leave led to the record.
    private(set) var isLeft = false
    private var isBegun = false
    private var isConnecting = false
    private var hasUpstream = false
    private var hasHead = false
    private var isRecording = false
    private var isNoted = false

    init(_ play: Playbook) { self.play = play }

    func admits(_ fact: Fact) -> Bool {
        if play.machine.isOver { return false }
        switch fact {
        case .request: return !isBegun
        case .requestBody: return isBegun && play.machine.takesRequest && !play.machine.isRequestEnded
        case .requestEnd: return isBegun && !play.machine.isRequestEnded
        case .refused: return !isBegun || !play.machine.isRequestEnded
        case .blocked: return isBegun && !hasUpstream
        case .upstreamReady, .upstreamOutdated, .upstreamUnavailable: return isConnecting && !play.machine.isHeld
        case .interim, .response: return hasUpstream && !hasHead
        case .switched: return hasUpstream && !hasHead && play.machine.isRequestEnded
        case .responseBody, .responseEnd: return hasUpstream && hasHead
        case .contentSent: return play.machine.hasAllContent && play.machine.isStream
        case .responsePaused, .upstreamOver, .upstreamBroken, .upstreamReset: return hasUpstream
        case .frames: return play.machine.webSocket != nil
        case .stopping: return isBegun
        case .deadline(.hold): return isRecording
        case .deadline(.responseHold): return isNoted
        case .deadline(.lastWord): return play.machine.awaitsClientsLastWord || play.machine.lacksEnd
        case .deadline, .givenUp: return isBegun
        case .responseRecorded: return isNoted && play.machine.isEarly && !play.machine.isAnswered
        case .clientOver, .clientCancelled, .clientGone: return isBegun
        case .recorded: return isRecording
        }
    }

    mutating func tell(_ fact: Fact) {
        switch fact {
        case .upstreamReady:
            (isConnecting, hasUpstream, hasHead) = (false, true, false)
        case .upstreamOutdated, .upstreamUnavailable: isConnecting = false
        case .response, .switched: hasHead = true
        default: break
        }
        isBegun = true
        for effect in play.tell(fact) {
            effects.append(effect)
            if effect.hasPrefix("connect") { isConnecting = true }
            if endsUpstream(effect) { hasUpstream = false }
            if effect.hasPrefix("record ") {
                isRecording = true
                switch fact {
                case .clientOver, .clientCancelled: isLeft = true
                default: break
                }
            }
            if effect == "note response" { isNoted = true }
        }
    }
}
