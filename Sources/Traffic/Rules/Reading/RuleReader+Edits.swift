/// Reads changes of a message.
extension RuleReader {
    /// Reads `request:` or `response:`.
    mutating func edit(_ tree: RuleTree, _ side: MessageSide) -> MessageEdit? {
        var edit = MessageEdit()
        let words =
            side == .request
            ? ["method", "target", "path", "query", "fields", "trailers", "body"]
            : ["status", "fields", "trailers", "body"]
        let before = problems.count
        for (name, value) in members(tree, expected: "what is changed, as in {fields: {set: {X-Test: \"1\"}}}") {
            let word = name.text.flatMap { words.contains($0) ? $0 : nil }
            switch word {
            case "method": edit.method = method(value)
            case "target": edit.target = target(value)
            case "path": edit.path = path(value)
            case "query": edit.query = query(value)
            case "status": edit.status = status(value)
            case "fields": edit.fields = fields(value, isTrailer: false)
            case "trailers": edit.trailers = fields(value, isTrailer: true)
            case "body": edit.body = body(value)
            default: unknown(name, "is nothing that can be changed of a \(side.rawValue)", among: words)
            }
        }
        guard problems.count == before else { return nil }
        guard !edit.isEmpty else {
            note(tree, "nothing is changed here")
            return nil
        }
        guard edit.target == nil || edit.path == nil && edit.query.isEmpty else {
            note(tree, "'target' is the whole target; 'path' and 'query' do not go with it")
            return nil
        }
        return edit
    }

    private mutating func method(_ tree: RuleTree) -> String? {
        guard let text = text(tree, "a method") else { return nil }
        guard text.utf8.allSatisfy(ASCII.isToken), !["CONNECT", "HEAD"].contains(text) else {
            note(
                tree,
                "\(RuleProblem.quoted(text)) is no method that a request can be given; CONNECT and HEAD mean another response"
            )
            return nil
        }
        return text
    }

    private mutating func target(_ tree: RuleTree) -> Template? {
        guard let template = template(tree) else { return nil }
        guard case .text(let start)? = template.parts.first, start.hasPrefix("/"),
            template.parts.allSatisfy(\.isOfTarget)
        else {
            note(tree, "expected a path that begins with /, without blanks")
            return nil
        }
        return template
    }

    /// Reads a path, which has no query.
    private mutating func path(_ tree: RuleTree) -> Template? {
        guard let template = target(tree) else { return nil }
        let ends = template.parts.contains { part in
            guard case .text(let text) = part else { return false }
            return text.utf8.contains(UInt8(ascii: "?"))
        }
        guard !ends else {
            note(tree, "a path has no query; 'target' has one, and 'query' changes its items")
            return nil
        }
        return template
    }

    private mutating func status(_ tree: RuleTree) -> Int? {
        guard let code = whole(tree, 200...999) else { return nil }
        guard code != 204, code != 205, code != 304 else {
            note(tree, "a response with status \(code) has no body, and this one may have; answer with 'respond'")
            return nil
        }
        return Int(code)
    }

    // MARK: Fields and query

    private mutating func fields(_ tree: RuleTree, isTrailer: Bool) -> FieldEdit {
        var edit = FieldEdit()
        for (name, value) in members(tree, expected: "set, add, remove or replace") {
            switch name.text {
            case "set": edit.set = named(value, isTrailer: isTrailer)
            case "add": edit.add = named(value, isTrailer: isTrailer)
            case "remove": edit.remove = removed(value)
            case "replace": edit.replace = replacements(value)
            default: unknown(name, "is no change of fields", among: ["set", "add", "remove", "replace"])
            }
        }
        return count(edit.remove.count, at: tree) ? edit : FieldEdit()
    }

    /// Reads fields by name; a list of values makes a field of each.
    mutating func named(_ tree: RuleTree, isTrailer: Bool = false) -> [FieldEdit.Field] {
        var fields: [FieldEdit.Field] = []
        for (name, value) in members(tree, expected: "fields by name, as in {X-Test: \"1\"}") {
            guard let text = fieldName(name) else { continue }
            var values = [value]
            if case .list(let elements) = value.content { values = elements }
            guard count(values.count, at: tree) else { break }
            for value in values {
                guard let template = template(value) else { continue }
                guard template.parts.allSatisfy(\.isOfField) else {
                    note(value, "the value of \(text) holds a line end or another control character")
                    continue
                }
                fields.append(FieldEdit.Field(name: text, value: template))
            }
        }
        return fields
    }

    private mutating func fieldName(_ tree: RuleTree) -> String? {
        guard let text = tree.text, !text.isEmpty, text.utf8.allSatisfy(ASCII.isToken) else {
            note(tree, "\(RuleProblem.quoted(tree.text ?? "")) is no name of a field")
            return nil
        }
        guard !FieldEdit.framing.contains(ASCII.lower(text)) else {
            note(tree, "\(text) says where a message ends or concerns one connection; the proxy sets it")
            return nil
        }
        return text
    }

    private mutating func removed(_ tree: RuleTree) -> [NameGlob] {
        texts(tree, "the name of a field, or a pattern with *").compactMap { text in
            guard text.utf8.allSatisfy(ASCII.isToken) else {
                note(tree, "\(RuleProblem.quoted(text)) is no name of a field")
                return nil
            }
            guard !FieldEdit.framing.contains(ASCII.lower(text)), !ASCII.isSame(text, "host") else {
                note(tree, "\(text) cannot be taken away: without it the message could not be read")
                return nil
            }
            return NameGlob(text, ignoresCase: true)
        }
    }

    private mutating func replacements(_ tree: RuleTree) -> [FieldEdit.Replacement] {
        var found: [FieldEdit.Replacement] = []
        for (name, value) in members(tree, expected: "fields by name, each with {find: TEXT, with: TEXT}") {
            guard let text = name.text, !text.isEmpty, text.utf8.allSatisfy(ASCII.isToken) else {
                note(name, "\(RuleProblem.quoted(name.text ?? "")) is no name of a field")
                continue
            }
            var values = [value]
            if case .list(let elements) = value.content { values = elements }
            guard count(values.count, at: tree) else { break }
            let glob = NameGlob(text, ignoresCase: true)
            for value in values {
                guard let text = replacement(value) else { continue }
                found.append(FieldEdit.Replacement(name: glob, text: text))
            }
        }
        return found
    }

    private mutating func query(_ tree: RuleTree) -> QueryEdit {
        var edit = QueryEdit()
        items(tree, of: "a query", &edit.set, &edit.add, &edit.remove)
        return edit
    }

    /// Reads the items to set and to add, and the names of those to remove, of a query or a form.
    mutating func items(
        _ tree: RuleTree,
        of what: String,
        _ set: inout [QueryEdit.Item],
        _ add: inout [QueryEdit.Item],
        _ remove: inout [NameGlob]
    ) {
        for (name, value) in members(tree, expected: "set, add or remove") {
            switch name.text {
            case "set": set = items(value)
            case "add": add = items(value)
            case "remove":
                remove = texts(value, "the name of an item, or a pattern with *").map {
                    NameGlob($0, ignoresCase: false)
                }
                if !count(remove.count, at: tree) { remove = [] }
            default: unknown(name, "is no change of \(what)", among: ["set", "add", "remove"])
            }
        }
    }

    /// Reads items by name.
    private mutating func items(_ tree: RuleTree) -> [QueryEdit.Item] {
        let all = members(tree, expected: "items by name, as in {beta: \"1\"}")
        guard count(all.count, at: tree) else { return [] }
        return all.compactMap { name, value in
            guard let text = text(name, "the name of an item"), let template = template(value) else { return nil }
            return QueryEdit.Item(name: text, value: template)
        }
    }
}

extension Template.Part {
    /// Whether it can stand in a target: it has no blanks, and no bytes that end a target.
    fileprivate var isOfTarget: Bool {
        guard case .text(let text) = self else { return true }
        return text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "#") }
    }

    /// Whether it can stand in the value of a field (RFC 9110 §5.5).
    fileprivate var isOfField: Bool {
        guard case .text(let text) = self else { return true }
        return text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == ASCII.tab }
    }
}
