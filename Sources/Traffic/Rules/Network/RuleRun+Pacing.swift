/// Has rules take time, and responses fail.
extension RuleRun {
    /// What the rules that apply on a side do to the exchange's time, with the record of it.
    ///
    /// - Parameters:
    ///   - side: the message.
    ///   - firings: the rules that apply, from `judge`.
    ///   - sharer: who shares the lines of throttles with the exchange.
    /// - Returns: the sum of the delays, the narrowest line of each direction, the longest times, and the faults that happen this time.
    package mutating func pace(
        _ side: MessageSide,
        by firings: [RuleFiring],
        _ sharer: RulePacing.Sharer
    ) -> RulePacing {
        var pacing = RulePacing()
        for firing in firings {
            for action in firing.actions(on: side) {
                switch action {
                case .delay(let delay):
                    let time = delay.microseconds(seed: firing.rule.limits.seed, count: firing.count)
                    pacing.delay += time
                    tell(RuleDelay.text(time), firing, action)
                case .throttle(let throttle):
                    pacing.add(lines(throttle, firing, sharer))
                    tell(throttle.text, firing, action)
                case .fault(let fault):
                    guard counter(of: firing).drawFault(fault.limits) else { continue }
                    let part = FailingBody.Part(fault: fault, rule: firing.rule.name, number: firing.count)
                    pacing.faults.add([part])
                    tell(fault.text, firing, action)
                case .send, .request, .respond, .block, .response: continue
                }
            }
        }
        noteWider(firings, side)
        return pacing
    }

    /// What throttles alone do, with the record of it: of a connection nothing else can be judged.
    mutating func throttle(by firings: [RuleFiring], _ sharer: RulePacing.Sharer) -> RulePacing {
        var pacing = RulePacing()
        for firing in firings {
            for case .throttle(let throttle) in firing.rule.actions {
                pacing.add(lines(throttle, firing, sharer))
                tell(throttle.text, firing, .throttle(throttle))
            }
        }
        noteWider(firings, .request)
        return pacing
    }

    private func lines(
        _ throttle: RuleThrottle,
        _ firing: RuleFiring,
        _ sharer: RulePacing.Sharer
    ) -> RulePacing {
        let lines = counter(of: firing).lines
        func line(_ side: MessageSide, _ rate: ByteRate?) -> RateLine? {
            rate.map { rate in
                switch throttle.scope {
                case .rule: lines.line(side, rate, for: "")
                case .host: lines.line(side, rate, for: sharer.host)
                case .connection: lines.line(side, rate, for: sharer.connection)
                case .exchange: RateLine(rate)
                }
            }
        }
        let seed = firing.rule.limits.seed ^ UInt64(bitPattern: firing.count) &* 0x9E37_79B9
        var pacing = RulePacing()
        (pacing.down, pacing.up) = (line(.response, throttle.down), line(.request, throttle.up))
        (pacing.roundTrip, pacing.jitter, pacing.lookUp) = (throttle.roundTrip, throttle.jitter, throttle.lookUp)
        pacing.dice = RuleDice(seed: seed)
        if throttle.stall > 0 {
            let dice = RuleDice(seed: seed ^ 0x7374_616C_6C)
            pacing.stalls = RandomStalls(
                share: throttle.stall,
                microseconds: throttle.stallMicroseconds,
                dice: dice
            )
        }
        return pacing
    }

    /// Says of a throttle whose lines are both wider than another's that the other rules.
    private mutating func noteWider(_ firings: [RuleFiring], _ side: MessageSide) {
        var throttles: [(rule: String, throttle: RuleThrottle)] = []
        for firing in firings {
            for case .throttle(let throttle) in firing.actions(on: side) {
                throttles.append((firing.rule.name, throttle))
            }
        }
        guard throttles.count > 1 else { return }
        func narrowest(_ rate: (RuleThrottle) -> ByteRate?) -> String? {
            throttles.compactMap { one in rate(one.throttle).map { (one.rule, $0) } }.min { $0.1 < $1.1 }?.0
        }
        let ruling = [narrowest(\.down), narrowest(\.up)].compactMap { $0 }
        for (rule, throttle) in throttles where throttle.down != nil || throttle.up != nil {
            guard let other = ruling.first, !ruling.contains(rule) else { continue }
            amend(rule, "throttle") { $0.note = "\(other) is narrower" }
        }
    }

    // MARK: The record

    private mutating func tell(_ what: String, _ firing: RuleFiring, _ action: RuleAction) {
        uses.append(RuleUse(rule: firing.rule.name, phase: firing.phase, action: action.word, what: what))
    }

    private mutating func amend(_ rule: String, _ action: String, _ change: (inout RuleUse) -> Void) {
        guard let place = uses.lastIndex(where: { $0.rule == rule && $0.action == action }) else { return }
        change(&uses[place])
    }

    /// Notes that the delays of a side were waited for.
    package mutating func noteWaited(_ side: MessageSide, by firings: [RuleFiring]) {
        for firing in firings {
            for case .delay(let delay) in firing.actions(on: side) {
                let time = delay.microseconds(seed: firing.rule.limits.seed, count: firing.count)
                guard
                    let place = uses.lastIndex(where: {
                        $0.rule == firing.rule.name && $0.action == "delay" && $0.phase == firing.phase
                    })
                else { continue }
                uses[place].microseconds = time
            }
        }
    }

    /// Notes what became of the faults of a response that is over: one that did not happen changed nothing, and is none of its rule's times.
    package mutating func noteFaults(_ faults: FailingBody) {
        for part in faults.parts where !part.isDone { noteSkipped(part, "the response is too short for it") }
    }

    /// Notes why a fault did not happen, in words that follow `skipped:`; it is none of its rule's times.
    package mutating func noteSkipped(_ part: FailingBody.Part, _ why: String) {
        takeBack(part)
        amend(part.rule, "fault") { use in (use.what, use.note) = ("", "skipped: \(why)") }
    }

    /// Notes how long throttles held an exchange up, in microseconds: the narrowest of them says it.
    package mutating func noteThrottled(_ microseconds: Int64) {
        guard let place = uses.firstIndex(where: { $0.action == "throttle" && $0.note == nil }) else { return }
        uses[place].microseconds = microseconds
    }
}
