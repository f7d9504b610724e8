/// Reads delays, throttles and faults.
extension RuleReader {
    /// The greatest place in a body, in bytes.
    private static let placeLimit: Int64 = 1_000_000_000_000_000

    /// Adds what a rule does to the time and to the response, once its condition is known.
    ///
    /// Where the condition asks about the response, the request has gone up when it is decided: then what has no side of its own lies on the response.
    mutating func addNetwork(_ word: RuleWord, _ name: RuleTree, _ value: RuleTree, to rule: inout Rule) {
        let side: MessageSide = rule.condition.asksOfResponse ? .response : .request
        switch word {
        case .delay: rule.actions += delays(value, side).map(RuleAction.delay)
        case .throttle: addThrottle(name, value, side, to: &rule)
        default:
            guard var fault = fault(value) else { return }
            let isNamed = fault.limits.seed > 0
            if !isNamed { fault.limits.seed = RuleLimits.seed(of: rule.name) }
            var usual = RuleLimits()
            usual.seed = rule.limits.seed
            if !isNamed, rule.actions.isEmpty, rule.tags.isEmpty, !rule.stops, rule.limits == usual {
                // The rule does nothing else: then the rule itself applies so often, and is counted so.
                rule.limits = fault.limits
                fault.limits = RuleLimits()
            }
            rule.actions.append(.fault(fault))
        }
    }

    // MARK: Delays

    /// Reads `delay:`, one time for the exchange, or one for each side.
    private mutating func delays(_ tree: RuleTree, _ side: MessageSide) -> [RuleDelay] {
        guard case .mapping(let members) = tree.content else {
            return wait(tree).map { [RuleDelay(side, $0)] } ?? []
        }
        if members.isEmpty { note(tree, "expected a delay such as 300ms, 1s..3s or {response: 1s}") }
        return members.compactMap { member in
            guard let side = member.name.text.flatMap(MessageSide.init) else {
                unknown(member.name, "is no side of an exchange", among: MessageSide.allCases.map(\.rawValue))
                return nil
            }
            return wait(member.value).map { RuleDelay(side, $0) }
        }
    }

    private mutating func wait(_ tree: RuleTree) -> ClosedRange<Int64>? {
        guard let range = range(tree, .time), range.upperBound > 0, range.upperBound <= RuleDelay.limit else {
            note(tree, "expected a delay such as 300ms or 1s..3s, at most 1h")
            return nil
        }
        return range
    }

    // MARK: Throttles

    private mutating func addThrottle(
        _ name: RuleTree,
        _ tree: RuleTree,
        _ side: MessageSide,
        to rule: inout Rule
    ) {
        let before = problems.count
        var throttle = RuleThrottle()
        var isOffline = false
        var up: RuleTree?
        if case .mapping(let members) = tree.content {
            // What is named beside a preset takes its place, wherever it stands.
            if let named = members.first(where: { $0.name.text == "preset" }) {
                isOffline = begin(&throttle, named.value)
            }
            for member in members where member.name.text != "preset" {
                if member.name.text == "up" { up = member.name }
                set(member.name, member.value, of: &throttle)
                if isOffline { note(member.name, "'offline' answers nothing, and has no other part") }
            }
        } else {
            isOffline = begin(&throttle, tree)
        }
        guard problems.count == before else { return }
        if isOffline { return addOffline(name, to: &rule) }
        guard throttle.jitter <= throttle.roundTrip else {
            return note(tree, "'jitter' is a part of 'rtt', and cannot be longer")
        }
        guard !throttle.isEmpty else { return note(tree, "nothing is slow here; expected a preset, a rate or a time") }
        throttle.side = side
        if side == .response {
            if let up {
                return note(up, "the request has gone up when the response is known; 'up' does not go with it")
            }
            throttle.up = nil
        }
        rule.actions.append(.throttle(throttle))
    }

    /// Takes the numbers of a preset.
    ///
    /// - Returns: whether it is the one that answers nothing.
    private mutating func begin(_ throttle: inout RuleThrottle, _ tree: RuleTree) -> Bool {
        guard let name = text(tree, "a preset such as slow-4g, or {down: 800kbit}") else { return false }
        guard let preset = NetworkPreset.named(name) else {
            unknown(tree, "is no preset", among: NetworkPreset.names)
            return false
        }
        throttle = preset.throttle
        return preset.isOffline
    }

    private mutating func set(_ name: RuleTree, _ value: RuleTree, of throttle: inout RuleThrottle) {
        switch name.text {
        case "down": throttle.down = rate(value) ?? throttle.down
        case "up": throttle.up = rate(value) ?? throttle.up
        case "rtt": throttle.roundTrip = time(value, upTo: RuleThrottle.timeLimit) ?? 0
        case "jitter": throttle.jitter = time(value, upTo: RuleThrottle.timeLimit) ?? 0
        case "stall": throttle.stall = share(value) ?? 0
        case "per":
            guard let scope = value.text.flatMap(RuleThrottle.Scope.init) else {
                return note(value, "expected rule, host, connection or exchange")
            }
            throttle.scope = scope
        default:
            unknown(name, "is no part of a throttle", among: ["preset", "down", "up", "rtt", "jitter", "stall", "per"])
        }
    }

    private mutating func addOffline(_ name: RuleTree, to rule: inout Rule) {
        if let other = rule.final {
            return note(name, "a rule answers once: '\(other.word)' stands in it already; 'offline' needs its own rule")
        }
        rule.actions.append(.block(.hang))
    }

    private mutating func rate(_ tree: RuleTree) -> ByteRate? {
        guard let rate = tree.text.flatMap({ ByteRate($0) }) else {
            note(tree, "expected a rate such as 800kbit, 1.5mbit or 100kB/s")
            return nil
        }
        return rate
    }

    // MARK: Faults

    private static let kinds = ["cut", "stall", "corrupt", "drip", "status-only", "bad-length", "reset"]
    private static let limits = ["times", "skip", "every", "chance", "seed"]

    private mutating func fault(_ tree: RuleTree) -> ResponseFault? {
        let expected = "a fault such as {cut: 20k}, reset or status-only"
        guard case .mapping = tree.content else {
            switch text(tree, expected) {
            case "status-only": return ResponseFault(.statusOnly)
            case "bad-length": return ResponseFault(.badLength(nil))
            case "reset": return ResponseFault(.reset(at: nil))
            case nil: return nil
            default:
                unknown(tree, "is no fault", among: RuleReader.kinds)
                return nil
            }
        }
        var (kind, first): (ResponseFault.Kind?, String?) = (nil, nil)
        var limits = RuleLimits()
        let before = problems.count
        for (name, value) in members(tree, expected: expected) {
            switch name.text {
            case "times": limits.times = whole(value, 1...1_000_000_000)
            case "skip": limits.skip = whole(value, 0...1_000_000_000) ?? 0
            case "every": limits.every = whole(value, 1...1_000_000_000) ?? 1
            case "chance": limits.chance = share(value) ?? 0
            case "seed": limits.seed = whole(value, 0...Int64.max).map(UInt64.init) ?? 0
            case let word? where RuleReader.kinds.contains(word):
                if let first { note(name, "a fault is one thing: '\(first)' stands in it already") }
                (kind, first) = (self.kind(word, value), word)
            default: unknown(name, "is no fault", among: RuleReader.kinds + RuleReader.limits)
            }
        }
        guard problems.count == before else { return nil }
        guard let kind else {
            note(tree, "expected \(expected)")
            return nil
        }
        var fault = ResponseFault(kind)
        fault.limits = limits
        return fault
    }

    private mutating func kind(_ word: String, _ value: RuleTree) -> ResponseFault.Kind? {
        switch word {
        case "cut": return size(value).map { .cut(at: $0) }
        case "corrupt": return size(value).map { .corrupt(at: $0) }
        case "stall": return stall(value)
        case "drip": return drip(value)
        case "status-only": return isAsked(value) ? .statusOnly : nil
        case "bad-length":
            if value.text == "true" { return .badLength(nil) }
            return size(value).map { .badLength($0) }
        default:
            if value.text == "true" { return .reset(at: nil) }
            return size(value).map { .reset(at: $0) }
        }
    }

    private mutating func isAsked(_ tree: RuleTree) -> Bool {
        if tree.text != "true" { note(tree, "expected true") }
        return tree.text == "true"
    }

    private mutating func stall(_ tree: RuleTree) -> ResponseFault.Kind? {
        var (place, span): (Int64, Int64?) = (0, nil)
        let expected = "where and how long it stalls, as in {at: 20k, for: 10s}"
        for (name, value) in members(tree, expected: expected) {
            switch name.text {
            case "at": place = size(value) ?? 0
            case "for": span = time(value, upTo: RuleDelay.limit)
            default: unknown(name, "is no part of a stall", among: ["at", "for"])
            }
        }
        guard let span, span > 0 else {
            if case .mapping = tree.content { note(tree, "expected \(expected)") }
            return nil
        }
        return .stall(at: place, microseconds: span)
    }

    private mutating func drip(_ tree: RuleTree) -> ResponseFault.Kind? {
        var (bytes, span): (Int64, Int64?) = (1, nil)
        let expected = "how it drips, as in {bytes: 10, every: 100ms}"
        if case .mapping(let members) = tree.content {
            for member in members {
                switch member.name.text {
                case "bytes": bytes = whole(member.value, 1...1_000_000) ?? 1
                case "every": span = time(member.value, upTo: RuleThrottle.timeLimit)
                default: unknown(member.name, "is no part of a drip", among: ["bytes", "every"])
                }
            }
        } else {
            span = time(tree, upTo: RuleThrottle.timeLimit)
        }
        guard let span, span > 0 else {
            if case .mapping = tree.content { note(tree, "expected \(expected)") }
            return nil
        }
        return .drip(bytes: Int(bytes), microseconds: span)
    }

    // MARK: Numbers

    private func range(_ tree: RuleTree, _ unit: Quantity.Unit) -> ClosedRange<Int64>? {
        // Bounds such as >10k are for queries.
        guard let text = tree.text, text.utf8.first.map({ (0x30...0x39).contains($0) }) == true else { return nil }
        return try? Quantity.range(text, unit)
    }

    /// A length of time from 0, in microseconds.
    private mutating func time(_ tree: RuleTree, upTo limit: Int64) -> Int64? {
        guard let range = range(tree, .time), range.lowerBound == range.upperBound, range.upperBound <= limit else {
            note(tree, "expected a time such as 100ms or 2s, at most \(RuleDelay.text(limit))")
            return nil
        }
        return range.lowerBound
    }

    /// A number of bytes, or a place in a body.
    private mutating func size(_ tree: RuleTree) -> Int64? {
        guard let range = range(tree, .bytes), range.lowerBound == range.upperBound,
            range.upperBound <= RuleReader.placeLimit
        else {
            note(tree, "expected a number of bytes such as 512 or 20k")
            return nil
        }
        return range.lowerBound
    }
}
