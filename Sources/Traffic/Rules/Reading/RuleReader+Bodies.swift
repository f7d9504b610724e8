/// Reads changes of bodies.
extension RuleReader {
    private static let bodyWords = ["text", "file", "json", "form", "replace", "prepend", "append"]
    /// Bytes of a file that takes a body's place.
    private static let fileLimitBytes = 8 << 20
    /// Bytes of a text that is looked for.
    private static let findLimitBytes = 10_000

    /// Reads `body:`.
    mutating func body(_ tree: RuleTree) -> BodyEdit {
        var edit = BodyEdit()
        let before = problems.count
        let all = members(tree, expected: "what is changed, as in {replace: {find: a, with: b}}")
        for (name, value) in all {
            guard let word = name.text, RuleReader.bodyWords.contains(word) else {
                unknown(name, "is no change of a body", among: RuleReader.bodyWords)
                continue
            }
            if ["text", "file"].contains(word), edit.content != nil {
                note(name, "a body has one content: 'text' and 'file' do not go together")
                continue
            }
            if word == "form" && !edit.json.isEmpty || word == "json" && !edit.form.isEmpty {
                note(name, "a body is JSON or a form, so 'json' and 'form' do not go together")
                continue
            }
            switch word {
            case "text": edit.content = template(value).map { .text($0) }
            case "file": edit.content = file(value)
            case "json": edit.json = jsonEdit(value)
            case "form": edit.form = form(value)
            case "replace": edit.replace = bodyReplacements(value)
            case "prepend": edit.prepend = template(value)
            default: edit.append = template(value)
            }
        }
        if problems.count == before, edit.isEmpty { note(tree, "nothing is changed here") }
        return edit
    }

    private mutating func file(_ tree: RuleTree) -> BodyEdit.Content? {
        guard let path = place(tree, "the path of a file") else { return nil }
        do throws(RuleFault) {
            return .file(name: path, bytes: try bytes(path, RuleReader.fileLimitBytes))
        } catch {
            note(tree, "the file \(path) cannot be read: \(error.sentence)")
            return nil
        }
    }

    private mutating func bodyReplacements(_ tree: RuleTree) -> [TextReplacement] {
        var elements = [tree]
        if case .list(let list) = tree.content { elements = list }
        return count(elements.count, at: tree) ? elements.compactMap { replacement($0) } : []
    }

    /// Reads `{find: TEXT, with: TEXT}`, or `regex` in the place of `find`; `first` has only the first occurrence replaced.
    mutating func replacement(_ tree: RuleTree) -> TextReplacement? {
        let before = problems.count
        var pattern: TextReplacement.Pattern?
        var with: RuleTree?
        var isFirst = false
        for (key, value) in members(tree, expected: "{find: TEXT, with: TEXT} or {regex: PATTERN, with: TEXT}") {
            if ["find", "regex"].contains(key.text), pattern != nil {
                note(key, "a replacement has 'find' or 'regex', not both")
            }
            switch key.text {
            case "find": pattern = find(value).map { .text($0) }
            case "regex": pattern = regex(value).map { .regex($0) }
            case "with": with = value
            case "first": isFirst = flag(value) ?? false
            default: unknown(key, "is no part of a replacement", among: ["find", "regex", "with", "first"])
            }
        }
        guard problems.count == before else { return nil }
        guard let pattern, let with else {
            note(tree, "a replacement has 'find' or 'regex', and 'with'")
            return nil
        }
        var groups: Int?
        if case .regex(let regex) = pattern { groups = regex.groups }
        guard let template = template(with, groups: groups) else { return nil }
        return TextReplacement(pattern: pattern, with: template, isFirstOnly: isFirst)
    }

    private mutating func find(_ tree: RuleTree) -> String? {
        guard let text = text(tree, "the text to find") else { return nil }
        guard text.utf8.count <= RuleReader.findLimitBytes else {
            note(tree, "the text to find is longer than \(RuleReader.findLimitBytes) bytes")
            return nil
        }
        return text
    }

    private mutating func regex(_ tree: RuleTree) -> ReplacedPattern? {
        guard let text = text(tree, "a regular expression") else { return nil }
        do throws(RegexReader.Problem) {
            return try ReplacedPattern(text)
        } catch {
            note(tree, error.sentence, offset: error.offset)
            return nil
        }
    }

    // MARK: JSON

    private mutating func jsonEdit(_ tree: RuleTree) -> JSONEdit {
        var edit = JSONEdit()
        let words = ["set", "insert", "remove", "merge", "patch"]
        let before = problems.count
        for (name, value) in members(tree, expected: "set, insert, remove, merge or patch") {
            switch name.text {
            case "set": edit.set = places(value)
            case "insert":
                edit.insert = places(value)
                if let odd = edit.insert.first(where: { !$0.path.namesOnePlace }) {
                    note(
                        value,
                        "\(RuleProblem.quoted(odd.path.text)) names no place to insert at, as $.items[0] and $.name do"
                    )
                }
            case "remove": edit.remove = removedPaths(value)
            case "merge": edit.merge = json(value)
            case "patch": edit.patch = patch(value)
            default: unknown(name, "is no change of JSON", among: words)
            }
        }
        if problems.count == before, edit.isEmpty { note(tree, "nothing is changed here") }
        return edit
    }

    private mutating func places(_ tree: RuleTree) -> [JSONEdit.Place] {
        var found: [JSONEdit.Place] = []
        let all = members(tree, expected: "values by path, as in {$.total: 0}")
        guard count(all.count, at: tree) else { return [] }
        for (name, value) in all {
            guard let path = path(name), let value = json(value) else { continue }
            found.append(JSONEdit.Place(path: path, value: value))
        }
        return found
    }

    private mutating func removedPaths(_ tree: RuleTree) -> [JSONPath] {
        var elements = [tree]
        if case .list(let list) = tree.content { elements = list }
        guard count(elements.count, at: tree) else { return [] }
        var paths: [JSONPath] = []
        for element in elements {
            guard let path = path(element) else { continue }
            guard !path.steps.isEmpty else {
                note(element, "'$' is the whole body, which cannot be taken away; 'text' can make it empty")
                continue
            }
            paths.append(path)
        }
        return paths
    }

    private mutating func path(_ tree: RuleTree) -> JSONPath? {
        guard let text = text(tree, "a path such as $.user.name") else { return nil }
        do throws(ValueProblem) {
            return try JSONPath(text)
        } catch {
            note(tree, error.sentence)
            return nil
        }
    }

    private mutating func patch(_ tree: RuleTree) -> [JSONPatchOperation] {
        guard case .list(let elements) = tree.content, !elements.isEmpty else {
            note(tree, "expected a list of operations, as in [{op: replace, path: /total, value: 0}]")
            return []
        }
        return count(elements.count, at: tree) ? elements.compactMap { operation($0) } : []
    }

    /// Reads an operation; members that it does not have are of no account, as RFC 6902 section 4 asks.
    private mutating func operation(_ tree: RuleTree) -> JSONPatchOperation? {
        let before = problems.count
        var kind: JSONPatchOperation.Kind?
        var path: [String]?
        var (fromTree, valueTree): (RuleTree?, RuleTree?)
        for (name, member) in members(tree, expected: "an operation, as in {op: replace, path: /total, value: 0}") {
            switch name.text {
            case "op":
                kind = member.text.flatMap(JSONPatchOperation.Kind.init)
                let words = JSONPatchOperation.Kind.allCases.map(\.rawValue)
                if kind == nil { unknown(member, "is no operation of a patch", among: words) }
            case "path": path = pointer(member)
            case "from": fromTree = member
            case "value": valueTree = member
            default: break
            }
        }
        guard problems.count == before else { return nil }
        guard let kind, let path else {
            note(tree, "an operation has 'op' and 'path'")
            return nil
        }
        let from = kind.takesFrom ? fromTree.flatMap { pointer($0) } : nil
        let value = kind.takesValue ? valueTree.flatMap { json($0) } : nil
        guard problems.count == before else { return nil }
        if kind.takesValue && value == nil || kind.takesFrom && from == nil {
            note(tree, "'\(kind.rawValue)' needs '\(kind.takesFrom ? "from" : "value")'")
            return nil
        }
        guard kind != .remove || !path.isEmpty else {
            note(tree, "the whole body cannot be taken away")
            return nil
        }
        if let from, kind == .move, from.count < path.count, path.starts(with: from) {
            note(tree, "a value cannot be moved into itself")
            return nil
        }
        return JSONPatchOperation(kind: kind, path: path, from: from, value: value)
    }

    /// Reads a pointer such as `/items/0/name`; the empty one is the whole body (RFC 6901).
    private mutating func pointer(_ tree: RuleTree) -> [String]? {
        guard let text = tree.text, let names = JSONPointer.names(text) else {
            note(tree, "expected a place such as /items/0/name")
            return nil
        }
        return names
    }

    // MARK: Forms

    private mutating func form(_ tree: RuleTree) -> FormEdit {
        var edit = FormEdit()
        let before = problems.count
        items(tree, of: "a form", &edit.set, &edit.add, &edit.remove)
        if problems.count == before, edit.isEmpty { note(tree, "nothing is changed here") }
        return edit
    }
}

extension JSONPath {
    /// Whether its last step names one place in an object or an array.
    fileprivate var namesOnePlace: Bool {
        switch steps.last {
        case .name, .index: true
        case .any, .below, nil: false
        }
    }
}
