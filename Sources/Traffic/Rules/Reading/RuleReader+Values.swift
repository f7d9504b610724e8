/// Reads single values; a wrong value is noted, and gives `nil` or nothing.
extension RuleReader {
    /// The members of a mapping.
    mutating func members(_ tree: RuleTree, expected: String) -> [(name: RuleTree, value: RuleTree)] {
        guard case .mapping(let members) = tree.content else {
            note(tree, "expected \(expected)")
            return []
        }
        return isDone ? [] : members.map { ($0.name, $0.value) }
    }

    /// One text that is not empty.
    mutating func text(_ tree: RuleTree, _ what: String) -> String? {
        guard let text = tree.text, !tree.isNothing, !text.isEmpty else {
            note(tree, "expected \(what)")
            return nil
        }
        return text
    }

    /// One text, or a list of them.
    mutating func texts(_ tree: RuleTree, _ what: String) -> [String] {
        guard case .list(let elements) = tree.content else { return text(tree, what).map { [$0] } ?? [] }
        return elements.compactMap { text($0, what) }
    }

    mutating func flag(_ tree: RuleTree) -> Bool? {
        switch tree.content {
        case .text("true", .plain): return true
        case .text("false", .plain): return false
        default:
            note(tree, "expected true or false")
            return nil
        }
    }

    mutating func whole(_ tree: RuleTree, _ range: ClosedRange<Int64>) -> Int64? {
        guard let text = tree.text, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int64(text),
            range.contains(number)
        else {
            note(tree, "expected a whole number from \(range.lowerBound) to \(range.upperBound)")
            return nil
        }
        return number
    }

    /// A length of time, in microseconds.
    mutating func span(_ tree: RuleTree) -> Int64? {
        guard let span = tree.text.flatMap({ RuleSpan.microseconds($0) }), span > 0 else {
            note(tree, "expected a time such as 30s, 5m, 2h or 7d")
            return nil
        }
        return span
    }

    /// A share such as `20%`, in millionths.
    mutating func share(_ tree: RuleTree) -> Int64? {
        guard let text = tree.text, text.hasSuffix("%"), let share = Double(text.dropLast()), share > 0, share <= 100,
            text.dropLast().utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") })
        else {
            note(tree, "expected a share such as 20% or 0.5%")
            return nil
        }
        return max(1, Int64((share * 10_000).rounded()))
    }

    /// A text in which `${…}` stand for values of the exchange; it may be empty.
    ///
    /// - Parameters:
    ///   - tree: the text.
    ///   - groups: the groups of the regular expression whose match it replaces; `nil` where it replaces none.
    /// - Returns: the text; `nil` where something is wrong with it, which is noted.
    mutating func template(_ tree: RuleTree, groups: Int? = nil) -> Template? {
        guard let text = tree.text else {
            note(tree, "expected one text")
            return nil
        }
        guard !tree.isNothing || text.isEmpty else {
            note(
                tree,
                "\(RuleProblem.quoted(text)) is no text; put the word into quotes, or write '' for an empty text"
            )
            return nil
        }
        do throws(ValueProblem) {
            return try Template(text, groups: groups)
        } catch {
            note(tree, error.sentence)
            return nil
        }
    }

    /// A value as JSON, with templates in its strings.
    mutating func json(_ tree: RuleTree) -> JSONTemplate? {
        switch tree.content {
        case _ where isDone: return nil
        case .list(let elements):
            let read = elements.compactMap { json($0) }
            return read.count == elements.count ? .array(read) : nil
        case .mapping(let members):
            var read: [JSONTemplate.Member] = []
            for member in members {
                guard let name = member.name.text else {
                    note(member.name, "expected a text as the name of a member")
                    return nil
                }
                guard let value = json(member.value) else { return nil }
                read.append(JSONTemplate.Member(name: name, value: value))
            }
            return .object(read)
        case .text(let text, .plain):
            if tree.isNothing { return .literal("null") }
            // A text may be long.
            let lower = text.utf8.count > 5 ? "" : text.lowercased()
            if ["true", "false"].contains(lower), [lower, lower.capitalizedASCII, lower.uppercased()].contains(text) {
                return .literal(lower)
            }
            switch PlainNumber(text) {
            case .json(let number): return .literal(number)
            case .refused(let reason):
                note(tree, reason)
                return nil
            case nil: return template(tree).map(JSONTemplate.string)
            }
        case .text: return template(tree).map(JSONTemplate.string)
        }
    }

    /// A path of the machine, which does not lead out of the file's directory by `..`.
    mutating func place(_ tree: RuleTree, _ what: String) -> String? {
        guard let text = text(tree, what) else { return nil }
        guard let directory else {
            note(tree, RuleReader.namesNoFile)
            return nil
        }
        guard !text.split(separator: "/").contains(".."), !text.utf8.contains(0) else {
            note(
                tree,
                "\(RuleProblem.quoted(text)) leads out of its directory by '..'; name it from the root, or put it beside the rules"
            )
            return nil
        }
        guard !text.hasPrefix("/") else { return text }
        let plain = text.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
        let base = directory.hasSuffix("/") ? String(directory.dropLast()) : directory
        return plain.isEmpty ? base : "\(base)/\(plain)"
    }
}

extension String {
    /// The text with its first letter in upper case.
    fileprivate var capitalizedASCII: String { prefix(1).uppercased() + dropFirst() }
}
