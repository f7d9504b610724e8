/// Makes rules of a rules file, and notes everything that is wrong with it.
package struct RuleReader {
    /// The file as the user named it.
    package let path: String
    /// The directory that relative paths in the file start from; `nil` for rules that stand in no file, and can name none.
    let directory: String?
    /// Reads a file that a rule names, of at most so many bytes.
    let bytes: (_ path: String, _ limitBytes: Int) throws(RuleFault) -> [UInt8]
    /// The problems, in the order of the file.
    package private(set) var problems: [RuleProblem] = []
    /// Whether the file is read no further: it has too many mistakes, or is over `workLimit`.
    private(set) var isDone = false
    /// What rules do for each exchange: values that conditions test, and changes of messages, of this file and of those before.
    package private(set) var work: Int
    /// Words for which a known one is still looked for.
    private var guesses = 100

    /// A reader of one file.
    ///
    /// - Parameters:
    ///   - path: the file, for messages.
    ///   - directory: the directory that relative paths in the file start from.
    ///   - work: what the rules of the files before do.
    ///   - bytes: reads a file that a rule names, of at most so many bytes; it throws where the file is longer.
    package init(
        path: String,
        directory: String,
        after work: Int = 0,
        bytes: @escaping (_ path: String, _ limitBytes: Int) throws(RuleFault) -> [UInt8]
    ) {
        (self.path, self.directory, self.work, self.bytes) = (path, directory, work, bytes)
    }

    /// A reader of a text that stands in no file, whose rules can name none.
    ///
    /// - Parameter name: what messages call the text.
    package init(textNamed name: String) {
        path = name
        directory = nil
        work = 0
        bytes = { _, _ throws(RuleFault) in throw RuleFault(RuleReader.namesNoFile) }
    }

    /// Values that the conditions of all files test, and changes of messages.
    package static let workLimit = 100_000
    /// Bytes of a condition.
    private static let conditionLimitBytes = 64 << 10

    /// What is said of a file that such a rule names.
    static let namesNoFile = "rules that stand in no file can name none"

    /// The rules of a file: a mapping with the list `rules`.
    package mutating func file(_ tree: RuleTree?) -> [Rule] {
        guard let tree, !tree.isNothing else { return [] }
        var rules: [Rule] = []
        for (name, value) in members(tree, expected: "'rules:' with a list of rules") {
            guard name.text == "rules" else {
                unknown(name, "has no place at the top of a rules file", among: ["rules"])
                continue
            }
            rules += list(value)
        }
        return rules
    }

    /// The rules of a list, as `rules:` in the configuration has it too.
    package mutating func list(_ tree: RuleTree) -> [Rule] {
        guard !tree.isNothing else { return [] }
        guard case .list(let elements) = tree.content else {
            note(tree, "expected a list of rules, each as '- name: …'")
            return []
        }
        guard elements.count <= RuleList.limit else {
            note(tree, "these are \(elements.count) rules; at most \(RuleList.limit) are taken")
            return []
        }
        return elements.compactMap { isDone ? nil : rule($0) }
    }

    /// Finds names that stand twice, in one file or in two.
    package static func duplicates(in rules: [Rule]) -> [RuleProblem] {
        var places: [String: Rule.Place] = [:]
        return rules.compactMap { rule in
            guard let first = places[rule.name] else {
                places[rule.name] = rule.place
                return nil
            }
            let place = first.path == rule.place.path ? "line \(first.line)" : "\(first.path):\(first.line)"
            return RuleProblem(
                path: rule.place.path,
                line: rule.place.line,
                column: rule.place.column,
                sentence: "there is a rule '\(rule.name)' at \(place) already; names are unique"
            )
        }
    }

    // MARK: One rule

    private mutating func rule(_ tree: RuleTree) -> Rule? {
        let place = Rule.Place(path: path, line: tree.line, column: tree.column)
        var rule = Rule(name: "", place: place)
        var seed: UInt64?
        var network: [(word: RuleWord, name: RuleTree, value: RuleTree)] = []
        let before = problems.count
        let all = members(tree, expected: "a rule with a name and what it does")
        for (name, value) in all {
            guard let word = name.text.flatMap(RuleWord.init) else {
                unknown(name, "is no action", among: RuleWord.allCases.map(\.rawValue))
                continue
            }
            guard !word.isLater else {
                note(name, "the action '\(word.rawValue)' comes with a later version; this one would do nothing for it")
                continue
            }
            switch word {
            case .name: rule.name = self.name(value) ?? ""
            case .when: rule.condition = condition(value) ?? .always
            case .off: rule.isOff = flag(value) ?? false
            case .group: rule.group = text(value, "the name of a group")
            case .note: rule.note = text(value, "a note")
            case .times: rule.limits.times = whole(value, 1...1_000_000_000)
            case .skip: rule.limits.skip = whole(value, 0...1_000_000_000) ?? 0
            case .every: rule.limits.every = whole(value, 1...1_000_000_000) ?? 1
            case .chance: rule.limits.chance = share(value) ?? 0
            case .seed: seed = whole(value, 0...Int64.max).map(UInt64.init)
            case .expires: rule.limits.expires = span(value)
            case .stop: rule.stops = flag(value) ?? false
            case .tag: rule.tags = tags(value)
            case .send: if let send = send(value) { rule.actions.append(.send(send)) }
            case .request: if let edit = edit(value, .request) { rule.actions.append(.request(edit)) }
            case .response: if let edit = edit(value, .response) { rule.actions.append(.response(edit)) }
            case .respond, .block: addFinal(word, name, value, to: &rule)
            case .delay, .throttle, .fault: network.append((word, name, value))
            case .hold, .message, .script: break
            }
        }
        // The fault last: how often it happens may be said of the rule.
        for (word, name, value) in network.sorted(by: { $0.word != .fault && $1.word == .fault }) {
            addNetwork(word, name, value, to: &rule)
        }
        guard problems.count == before else { return nil }
        guard !rule.name.isEmpty else {
            note(tree, "the rule has no name")
            return nil
        }
        rule.limits.seed = seed ?? RuleLimits.seed(of: rule.name)
        return isWhole(rule, tree, all) ? rule : nil
    }

    private mutating func addFinal(_ word: RuleWord, _ name: RuleTree, _ value: RuleTree, to rule: inout Rule) {
        if let other = rule.final {
            note(
                name,
                "a rule answers once: '\(other.word)' stands in it already; '\(word.rawValue)' needs its own rule"
            )
            return
        }
        switch word {
        case .respond: if let answers = answers(value) { rule.actions.append(.respond(answers)) }
        default: if let block = block(value) { rule.actions.append(.block(block)) }
        }
    }

    /// Whether the rule's actions fit its condition.
    private mutating func isWhole(_ rule: Rule, _ tree: RuleTree, _ all: [(name: RuleTree, value: RuleTree)]) -> Bool {
        guard !rule.actions.isEmpty || rule.stops || !rule.tags.isEmpty else {
            let words = RuleWord.allCases.filter { $0.isAction && !$0.isLater }.map(\.rawValue)
            note(tree, "the rule does nothing; give it \(words.joined(separator: ", ")), tag or stop")
            return false
        }
        guard rule.actions.contains(where: { $0.side == .request }), let problem = rule.condition.responseProblem,
            let when = all.first(where: { $0.name.text == RuleWord.when.rawValue })
        else { return true }
        note(when.value, problem)
        return false
    }

    private mutating func name(_ tree: RuleTree) -> String? {
        guard let name = text(tree, "a name") else { return nil }
        // Scalars, since one character may have any number of them.
        guard name.unicodeScalars.count <= Rule.nameLimit, name.unicodeScalars.allSatisfy(RuleReader.isOfLine),
            name.trimmingBlanks == name
        else {
            note(tree, "a name is one line of at most \(Rule.nameLimit) characters, without blanks round it")
            return nil
        }
        guard name.lowercased() != Facet.none else {
            note(tree, "no rule can be named 'none': rule:none selects what no rule touched")
            return nil
        }
        return name
    }

    /// Whether a scalar neither ends a line nor controls a terminal.
    private static func isOfLine(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }

    private mutating func condition(_ tree: RuleTree) -> RuleCondition? {
        if tree.isNothing { return .always }
        guard let text = text(tree, "a query such as host:api.test path:/v2") else { return nil }
        guard text.utf8.count <= RuleReader.conditionLimitBytes else {
            note(tree, "a query has at most \(RuleReader.conditionLimitBytes >> 10) KiB")
            return nil
        }
        do {
            let condition = try RuleCondition(text)
            return count(condition.valueCount, at: tree) ? condition : nil
        } catch {
            note(tree, error)
            return nil
        }
    }

    private mutating func tags(_ tree: RuleTree) -> [String] {
        let tags = texts(tree, "a tag")
        guard tags.count <= ExchangeMarks.tagLimit else {
            note(tree, "these are \(tags.count) tags; an exchange takes at most \(ExchangeMarks.tagLimit)")
            return []
        }
        return tags.compactMap { tag in
            do {
                return try Tag.name(tag)
            } catch {
                note(tree, "\(error)")
                return nil
            }
        }
    }

    private mutating func block(_ tree: RuleTree) -> RuleBlock? {
        let expected = "expected reset, close, hang or a status from 400 to 599"
        guard let text = text(tree, "reset, close, hang or a status") else { return nil }
        switch text {
        case "reset": return .reset
        case "close": return .close
        case "hang": return .hang
        default:
            if let code = Int(text), (400...599).contains(code) { return .status(code) }
            note(tree, "\(RuleProblem.quoted(text)) is no way to block; \(expected)")
            return nil
        }
    }

    // MARK: What is wrong

    /// Counts what rules do for each exchange; where it is too much, the file is read no further.
    ///
    /// - Returns: `false` where it is too much.
    mutating func count(_ more: Int, at tree: RuleTree) -> Bool {
        work += more
        guard work > RuleReader.workLimit else { return true }
        if !isDone {
            note(tree, "the rules test and change over \(RuleReader.workLimit) things, the most in all files")
        }
        isDone = true
        return false
    }

    /// Notes a problem; behind the first ones, only that there are more.
    private mutating func note(_ problem: RuleProblem) {
        guard !isDone else { return }
        problems.append(problem)
        guard problems.count > RuleProblem.limit else { return }
        problems = RuleProblem.first(problems)
        isDone = true
    }

    /// Notes a problem at a place.
    mutating func note(_ tree: RuleTree, _ sentence: String) {
        note(RuleProblem(path: path, line: tree.line, column: tree.column, sentence: sentence))
    }

    /// Notes what is wrong with a query, at its own column where the query stands on one line as it is.
    private mutating func note(_ tree: RuleTree, _ error: FilterError) {
        guard let column = error.column, tree.isOnOneLine else { return note(tree, error.description) }
        note(tree, String(error.description.dropFirst("column \(column): ".count)), offset: column - 1)
    }

    /// Notes what is wrong with a text at one of its characters, from 0, where the text stands on one line as it is.
    mutating func note(_ tree: RuleTree, _ sentence: String, offset: Int) {
        guard tree.isOnOneLine, case .text(_, let style) = tree.content else { return note(tree, sentence) }
        let column = tree.column + offset + (style == .quoted ? 1 : 0)
        note(RuleProblem(path: path, line: tree.line, column: column, sentence: sentence))
    }

    /// Notes an unknown word, and the nearest known one.
    mutating func unknown(_ name: RuleTree, _ what: String, among words: [String]) {
        guard !isDone else { return }
        guard let text = name.text else { return note(name, "expected a word here") }
        guesses -= 1
        let guess = guesses < 0 ? nil : EditDistance.nearest(to: text.lowercased(), in: words)
        note(
            name,
            "\(RuleProblem.quoted(text)) \(what)"
                + (guess.map { "; did you mean '\($0)'?" } ?? "; known are \(words.joined(separator: ", "))")
        )
    }
}
