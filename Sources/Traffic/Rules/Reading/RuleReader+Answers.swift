/// Reads answers.
extension RuleReader {
    private static let contents = ["text", "json", "file", "dir", "from"]
    private static let words = ["status", "fields"] + contents + ["strip", "index", "missing", "times", "mark"]

    /// Reads `respond:`, one answer or a list of answers that are given one after another.
    mutating func answers(_ tree: RuleTree) -> RuleAnswers? {
        var elements = [tree]
        if case .list(let list) = tree.content { elements = list }
        guard !elements.isEmpty else {
            note(tree, "expected an answer, as in {status: 503}")
            return nil
        }
        guard count(elements.count, at: tree) else { return nil }
        var steps: [RuleAnswer] = []
        for element in elements {
            if let last = steps.last, last.times == nil {
                note(element, "the answer above is given for ever, and this one never; say above how many 'times'")
                return nil
            }
            guard let step = answer(element) else { return nil }
            steps.append(step)
        }
        return RuleAnswers(steps)
    }

    private mutating func answer(_ tree: RuleTree) -> RuleAnswer? {
        var answer = RuleAnswer()
        var directory = RuleAnswer.Directory(path: "")
        var content: RuleTree?
        let before = problems.count
        let all = members(tree, expected: "an answer, as in {status: 503}")
        for (name, value) in all {
            guard let word = name.text, RuleReader.words.contains(word) else {
                unknown(name, "is no part of an answer", among: RuleReader.words)
                continue
            }
            if RuleReader.contents.contains(word) {
                if let content { note(name, "an answer has one body: '\(content.text ?? "")' stands in it already") }
                content = name
            }
            switch word {
            case "status": (answer.status, answer.namesStatus) = (code(value) ?? 200, true)
            case "fields": answer.fields = named(value)
            case "times": answer.times = whole(value, 1...1_000_000_000)
            case "mark": answer.isMarked = flag(value) ?? true
            case "text": answer.content = template(value).map { .text($0) } ?? .nothing
            case "json": answer.content = json(value).map { .json($0) } ?? .nothing
            case "file": answer.content = place(value, "the path of a file").map { .file($0) } ?? .nothing
            case "dir": directory.path = place(value, "the path of a directory") ?? ""
            case "from": answer.content = whole(value, 1...Int64.max).map { .recording($0) } ?? .nothing
            case "strip": directory.strip = strip(value) ?? ""
            case "index": directory.index = index(value)
            default: directory.missing = missing(value) ?? .notFound
            }
        }
        let ofDirectory = all.first { ["strip", "index", "missing"].contains($0.name.text) }
        if content?.text == "dir" {
            answer.content = .directory(directory)
        } else if let ofDirectory {
            note(ofDirectory.name, "'\(ofDirectory.name.text ?? "")' goes with 'dir'")
        }
        if case .nothing = answer.content {
        } else if [204, 205, 304].contains(answer.status) {
            note(tree, "an answer with status \(answer.status) has no body")
        }
        return problems.count == before ? answer : nil
    }

    private mutating func code(_ tree: RuleTree) -> Int? {
        guard let code = whole(tree, 200...999) else { return nil }
        return Int(code)
    }

    private mutating func strip(_ tree: RuleTree) -> String? {
        guard let text = text(tree, "the beginning of a path") else { return nil }
        guard text.hasPrefix("/") else {
            note(tree, "\(RuleProblem.quoted(text)) is no beginning of a path; expected one such as /static/")
            return nil
        }
        return text
    }

    private mutating func index(_ tree: RuleTree) -> String? {
        guard let text = text(tree, "the name of a file") else { return nil }
        guard !text.contains("/"), text != "..", text != "." else {
            note(tree, "\(RuleProblem.quoted(text)) is no name of a file")
            return nil
        }
        return text
    }

    private mutating func missing(_ tree: RuleTree) -> RuleAnswer.Directory.Missing? {
        guard let missing = tree.text.flatMap(RuleAnswer.Directory.Missing.init) else {
            note(tree, "expected upstream or 404")
            return nil
        }
        return missing
    }
}
