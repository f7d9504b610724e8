import Traffic

/// The rules of a file of Fiddler Classic's AutoResponder.
enum FiddlerFile {
    private typealias Gap = ImportedRule.Gap

    /// Parts of a condition, each of which names the next.
    private static let partLimit = 10

    /// The elements of rules; none in a file of another program.
    static func elements(_ root: XMLTree) -> [XMLTree] { root.all("ResponseRule") }

    /// What holds for the file as a whole and cannot be said.
    static func gaps(_ root: XMLTree) -> [String] {
        let state = (root.all("State").first?.attributes ?? [:]).mapValues { ASCII.lower($0) }
        return (state["Fallthrough"] == "false" ? ["requests that no rule answers get a 404; here they go on"] : [])
            + (state["AcceptAllConnects"] == "true" ? ["every CONNECT is accepted"] : [])
            + (state["Enabled"] == "false" ? ["the AutoResponder was off in Fiddler"] : [])
    }

    /// The rules in the order of the file.
    ///
    /// - Throws: `InputError` where they are too many, or those of Fiddler Everywhere, which have another form.
    static func rules(_ root: XMLTree, path: String) throws -> [ImportedRule] {
        let isSlow = ASCII.lower(root.all("State").first?.attributes["UseLatency"] ?? "") == "true"
        guard (root.all("AutoResponder").first?.attributes["RulesVersion"] ?? "1") == "1" else {
            throw InputError("\(path) holds rules of Fiddler Everywhere; those of Fiddler Classic are read")
        }
        let elements = elements(root)
        try ImportedRule.mustBeFew(elements.count, path: path)
        return elements.map { rule($0.attributes, isSlow: isSlow) }
    }

    private static func rule(_ attributes: [String: String], isSlow: Bool) -> ImportedRule {
        let match = attributes["Match"] ?? ""
        let comment = attributes["Comment"] ?? ""
        let isOff = ["false", "0"].contains(ASCII.lower(attributes["Enabled"] ?? ""))
        return ImportedRule(comment.isEmpty ? match : comment, offIn: isOff ? "Fiddler" : nil) { rule in
            guard attributes["Headers"] == nil, attributes["DeflatedBody"] == nil else {
                throw Gap("the saved response that lies in it")
            }
            guard !match.trimmingBlanks.hasPrefix("{\""), attributes["Action"]?.hasPrefix("[") != true else {
                throw Gap("a rule of Fiddler Everywhere")
            }
            try take(match: match.trimmingBlanks[...], into: &rule)
            let expression = match.trimmingBlanks.wholeMatch(
                of: /(?is)(?:method:\s*\S+\s+|[0-9.]+%:\s*)*regex:\s*(?:\(\?[imnsx]+\))?(.*)/
            ).map {
                String($0.1)
            }
            try take(action: (attributes["Action"] ?? "").trimmingBlanks, expression: expression, into: &rule)
            // A rule that answers is the last for its request.
            if rule.members.contains(where: { $0.name == "respond" || $0.name == "block" }) { rule.add("stop", "true") }
            // Latency adds nothing to a '*delay'.
            let latency = Int(attributes["Latency"] ?? "") ?? 0
            if latency > 0, !rule.members.contains(where: { $0.name == "delay" }) {
                if isSlow { rule.add("delay", .text("\(latency)ms")) }
                if !isSlow { rule.lose("its latency of \(latency) ms, which was off") }
            }
            let isOnce = ASCII.lower(attributes["DisableAfterMatch"] ?? "") == "true"
            let count = isOnce ? 1 : Int(attributes["MaxMatchCount"] ?? "") ?? 0
            if count > 0 { rule.add("times", .word("\(count)")) }
        }
    }

    // MARK: Conditions

    /// Takes a condition: `EXACT:`, `REGEX:`, `NOT:`, `METHOD:`, a share such as `30%:`, or a part of the URL.
    private static func take(match: Substring, into rule: inout ImportedRule) throws {
        guard !match.isEmpty else { throw Gap("it has no condition") }
        guard rule.terms.count + rule.members.count < partLimit else { throw Gap("its condition has too many parts") }
        if match == "*" { return }
        let prefix = match.prefix { $0 != ":" }
        let rest = match.dropFirst(prefix.count + 1).drop { $0 == " " }
        switch ASCII.lower(prefix) {
        case "exact": rule.terms.append(try QueryPattern.regex("url", "(?-i)^\(RuleSketch.expression(String(rest)))$"))
        case "regex": rule.terms.append(try QueryPattern.regex("url", try regex(rest)))
        case "not": rule.terms.append("-" + QueryPattern.containing("url", String(rest)))
        case "method":
            let method = rest.prefix { $0 != " " }
            let isOther = ASCII.lower(method.prefix(4)) == "not:"
            let name = String(method.dropFirst(isOther ? 4 : 0))
            rule.terms.append((isOther ? "-" : "") + QueryPattern.containing("method", name))
            let more = rest.dropFirst(method.count).drop { $0 == " " }
            if !more.isEmpty { try take(match: more, into: &rule) }
        case "header", "urlwithbody", "flag", "process", "status", "cookie": throw Gap("the condition '\(match)'")
        case let share where share.hasSuffix("%"):
            rule.add("chance", .text(share))
            try take(match: rest, into: &rule)
        default: rule.terms.append(QueryPattern.containing("url", String(match)))
        }
    }

    /// A regular expression of .NET, which minds case unless its flags say otherwise, in the form of ours.
    private static func regex(_ text: Substring) throws -> String {
        guard let flags = text.prefixMatch(of: /\(\?([imnsx]+)\)/)?.1 else { return "(?-i)\(text)" }
        var source = text.dropFirst(flags.count + 3)
        if flags.contains("x") {
            guard !source.contains(/[#\[]|\\\s/) else {
                throw Gap("a regular expression with comments, classes or blanks in it, '\(text)'")
            }
            source.removeAll(where: \.isWhitespace)
        }
        return (flags.contains("i") ? "" : "(?-i)") + (flags.contains("s") ? "(?s)" : "") + source
    }

    // MARK: Actions

    /// Takes an action: a word behind a star, a URL, one of Fiddler's own answers, or a file.
    ///
    /// Where the condition is a regular expression, an action takes the place of what that matches in the URL.
    private static func take(action: String, expression: String?, into rule: inout ImportedRule) throws {
        let gap = Gap("the action '\(action)'")
        // A group of the condition, which only a replacement can name with us.
        guard !action.isEmpty, !action.contains(/\$[0-9{]/), expression == nil || !action.contains("$") else {
            throw gap
        }
        let isWhole = expression.map { URLExpression($0).isWhole } ?? true
        let partGap = Gap("'\(action)' in the place of what '\(expression ?? "")' matches")
        if action.hasPrefix("*") {
            guard isWhole || !ASCII.lower(action).hasPrefix("*redir:") else { throw partGap }
            return try take(word: action.dropFirst(), into: &rule, else: gap)
        }
        if action.contains("://") {
            if let expression { try rule.send(to: action, inPlaceOf: expression) } else { try rule.send(to: action) }
            return rule.add("stop", "true")
        }
        if let code = action.wholeMatch(of: /(?i)([2-5][0-9][0-9])_.*\.dat/)?.1 {
            rule.lose("the content of Fiddler's own \(action)")
            return rule.add("respond", ["status": .text(String(code))])
        }
        guard action.hasPrefix("/") || !action.contains(/[\\:]/) else { throw gap }
        if !action.hasPrefix("/") { rule.lose("where \(action) lies; here it is looked for beside the rules") }
        if action.hasSuffix("/") {
            guard !isWhole, let start = expression.flatMap({ URLExpression($0).start }),
                let mark = start.firstRange(of: "://")
            else { throw Gap("which part of the URL stands for the directory \(action)") }
            let path = String(start[mark.upperBound...].drop { $0 != "/" })
            rule.add("respond", ["dir": .text(action), "strip": path.isEmpty ? nil : .text(path)])
        } else {
            guard isWhole else { throw partGap }
            rule.add("respond", ["file": .text(action)])
        }
    }

    private static func take(word text: Substring, into rule: inout ImportedRule, else gap: Gap) throws {
        let word = text.prefix { $0 != ":" }
        let rest = String(text.dropFirst(word.count + 1)).trimmingBlanks
        switch (ASCII.lower(word), rest.isEmpty) {
        case ("redir", false): rule.add("respond", ["status": "307", "fields": ["Location": .plain(rest)]])
        case ("header", false):
            let parts = rest.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2 else { throw gap }
            let (name, value) = (parts[0].trimmingBlanks, parts[1].trimmingBlanks)
            let change: RuleValue =
                value.isEmpty ? ["remove": .text(try ImportedRule.literal(name))] : ["set": [name: .plain(value)]]
            rule.add("request", ["fields": change])
        case ("delay", false): rule.add("delay", .text("\(rest)ms"))
        case ("reset", true): rule.add("block", "reset")
        case ("drop", true): rule.add("block", "close")
        case ("exit", true): rule.add("stop", "true")
        default: throw gap
        }
    }
}
