extension Rule {
    /// What it does, in words on a line: `response: Content-Security-Policy removed; tag slow`; empty for a rule that does nothing.
    package var effect: String {
        // How often a fault happens that is all of its rule is said of the rule.
        var parts = actions.map { $0.effect + (isFaultAlone ? limits.effect : "") }
        if !tags.isEmpty { parts.append("tag \(tags.joined(separator: ", "))") }
        if stops { parts.append("stop") }
        return VisibleText.line(parts.joined(separator: "; "))
    }
}

extension RuleAction {
    /// The action in words: `block reset`, `respond 503 ×2, then 201`.
    fileprivate var effect: String {
        switch self {
        case .send(let send): "send \(send.effect)"
        case .request(let edit): "request: \(edit.changes.text)"
        case .respond(let answers): "respond \(answers.effect)"
        case .block(let block): "block \(block.text)"
        case .response(let edit): "response: \(edit.changes.text)"
        case .delay(let delay): "delay \(delay.effect)"
        case .throttle(let throttle): "throttle \(throttle.text)"
        case .fault(let fault): "fault: \(fault.text)\(fault.limits.effect)"
        }
    }
}

extension RuleSend {
    /// `to staging.test:8443, keeping Host`.
    fileprivate var effect: String {
        var parts: [String] = []
        if let to { parts.append("to \(to.authority)\(to.prefix)" + (keepsHost ? ", keeping Host" : "")) }
        if !addresses.isEmpty { parts.append("at \(addresses.joined(separator: ", "))") }
        // A login stands before the sign, and is nobody's to see.
        if let proxy = upstreamProxy?.split(separator: "@").last { parts.append("through \(proxy)") }
        if isFresh { parts.append("fresh") }
        return parts.joined(separator: ", ")
    }
}

extension RuleAnswers {
    /// Answers that are named before the rest is counted.
    private static let namedLimit = 4

    /// `503 ×2, then 201`.
    fileprivate var effect: String {
        let named = steps.prefix(RuleAnswers.namedLimit).map { step in
            step.text + (step.times.map { $0 > 1 ? " ×\($0)" : "" } ?? "")
        }
        let rest = steps.count - named.count
        return named.joined(separator: ", then ") + (rest > 0 ? " and \(rest) more" : "")
    }
}

extension RuleLimits {
    /// `, every 10, 3 times`; empty where a fault has no limits of its own.
    fileprivate var effect: String {
        var parts: [String] = []
        if skip > 0 { parts.append("after \(skip)") }
        if every > 1 { parts.append("every \(every)") }
        if chance < 1_000_000 {
            let share = chance % 10_000 == 0 ? "\(chance / 10_000)" : "\(Double(chance) / 10_000)"
            parts.append("\(share)%")
        }
        if let times { parts.append(times.counted("time")) }
        return parts.map { ", \($0)" }.joined()
    }
}

extension RuleDelay {
    /// `request 300 ms`, `response 1 s to 3 s`.
    fileprivate var effect: String {
        let (least, most) = (RuleDelay.text(range.lowerBound), RuleDelay.text(range.upperBound))
        return "\(side.rawValue) \(least)" + (least == most ? "" : " to \(most)")
    }
}

extension MessageEdit {
    /// The parts that it changes, whatever a message has of them.
    fileprivate var changes: [EditChange] {
        let line = [("method", method != nil), ("target", target != nil), ("path", path != nil)]
        var changes = line.filter(\.1).map { EditChange.set($0.0) }
        changes += query.remove.map { .removed("query \($0.text)") }
        changes += query.set.map { .set("query \($0.name)") } + query.add.map { .added("query \($0.name)") }
        if let status { changes.append(.set("status \(status)")) }
        return changes + fields.changes("") + body.changes + trailers.changes("trailer ")
    }
}

extension FieldEdit {
    /// The fields that it changes, each behind a word.
    fileprivate func changes(_ word: String) -> [EditChange] {
        remove.map { .removed(word + $0.text) } + replace.map { .set(word + $0.name.text) }
            + set.map { .set(word + $0.name) } + add.map { .added(word + $0.name) }
    }
}

extension BodyEdit {
    /// The parts of a body that it changes.
    fileprivate var changes: [EditChange] {
        var changes: [EditChange] = []
        switch content {
        case .text: changes.append(.set("body"))
        case .file(let name, _): changes.append(.set("body from \(name.split(separator: "/").last ?? "/")"))
        case nil: break
        }
        changes += json.set.map { .set($0.path.text) } + json.insert.map { .added($0.path.text) }
        changes += json.remove.map { .removed($0.text) }
        if json.merge != nil { changes.append(.set("JSON merged")) }
        if !json.patch.isEmpty { changes.append(.set("JSON patched")) }
        changes += form.remove.map { .removed("form \($0.text)") }
        changes += form.set.map { .set("form \($0.name)") } + form.add.map { .added("form \($0.name)") }
        changes += replace.map { .set("text \($0.pattern.name)") }
        if prepend != nil { changes.append(.set("text before the body")) }
        if append != nil { changes.append(.set("text behind the body")) }
        return changes
    }
}

extension EditChange {
    /// A part that gets a value, whatever it had before.
    fileprivate static func set(_ part: String) -> EditChange { EditChange(part, from: "", to: "") }
    /// A part that is there twice then, or for the first time.
    fileprivate static func added(_ part: String) -> EditChange { EditChange(part, from: nil, to: "") }
    fileprivate static func removed(_ part: String) -> EditChange { EditChange(part, from: "", to: nil) }
}
