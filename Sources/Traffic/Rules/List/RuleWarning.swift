/// A probable mistake in rules that can be read; the rules are used all the same.
package struct RuleWarning: Hashable, Sendable, CustomStringConvertible {
    package let place: Rule.Place
    /// The mistake, and why it is probably not meant.
    package let sentence: String

    /// `rules.yaml:14:3: sentence`.
    package var description: String { "\(place.path):\(place.line):\(place.column): \(sentence)" }

    /// The probable mistakes in a list, in its order; rules that are off are not looked at.
    package static func all(in rules: [Rule]) -> [RuleWarning] {
        var found: [RuleWarning] = []
        var end: Rule?
        var answer: Rule?
        for rule in rules where !rule.isOff {
            if let above = end ?? (rule.actsOnRequests ? answer : nil) {
                let what = above.stops ? "ends the list for" : "answers"
                let sentence = "'\(rule.name)' never applies: '\(above.name)' above it \(what) every request"
                found.append(RuleWarning(place: rule.place, sentence: sentence))
            }
            found += (rule.oddAnswers + rule.oddEdits).map { RuleWarning(place: rule.place, sentence: $0) }
            guard rule.isForAll else { continue }
            // A rule that has no answer, or that another one shadows, ends nothing.
            guard !rule.mayPassOn else { continue }
            let isShadowed = answer != nil && rule.isShadowed(on: .request)
            if rule.stops, rule.markSide == .request, !isShadowed { end = end ?? rule }
            if rule.final != nil { answer = answer ?? rule }
        }
        return found
    }
}

extension Rule {
    /// Whether the rule applies to every exchange, every time.
    fileprivate var isForAll: Bool {
        var unlimited = RuleLimits()
        unlimited.seed = limits.seed
        return condition == .always && limits == unlimited && limit == nil
    }

    /// Whether the rule acts on requests, and on nothing else.
    fileprivate var actsOnRequests: Bool { !actions.isEmpty && !speaks(on: .response) }

    /// Whether a request goes on where the rule has no answer for it.
    fileprivate var mayPassOn: Bool {
        guard case .respond(let answers) = final else { return false }
        return answers.steps.contains { step in
            if case .directory(let directory) = step.content { directory.missing == .upstream } else { false }
        }
    }

    /// Edits that probably do more than is meant, or nothing.
    fileprivate var oddEdits: [String] {
        actions.flatMap { action -> [String] in
            switch action {
            case .request(let edit), .response(let edit): edit.oddities.map { "'\(name)' \($0)" }
            case .send, .respond, .block: []
            }
        }
    }

    /// Answers whose type and body disagree.
    fileprivate var oddAnswers: [String] {
        guard case .respond(let answers) = final else { return [] }
        return answers.steps.compactMap { step in
            let named = step.fields.first { ASCII.isSame($0.name, "content-type") }?.value.plain
            guard let type = MediaType(named) else { return nil }
            switch step.content {
            case .json where !type.isJSON: return "'\(name)' answers with JSON and says that it is \(type.essence)"
            case .text(let text) where type.isJSON:
                guard let plain = text.plain, (try? JSONReader.value(Array(plain.utf8))) == nil else { return nil }
                return "'\(name)' says that it answers with JSON, and its text is none"
            default: return nil
            }
        }
    }
}

extension MessageEdit {
    /// What is odd in it, as the end of a sentence.
    fileprivate var oddities: [String] {
        let replacements = body.replace + (fields.replace + trailers.replace).map(\.text)
        return replacements.compactMap { replacement in
            switch replacement.pattern {
            case .regex(let regex) where regex.matchesNothing && !replacement.isFirstOnly:
                "replaces '\(regex.source)', which matches the empty text too, so that something is put between all characters"
            case .text(let text) where replacement.with.plain == text:
                "replaces '\(text.prefix(40))' by itself"
            case .regex, .text: nil
            }
        }
    }
}
