import Traffic

/// One of Charles' rewrite rules.
struct CharlesRewrite {
    private typealias Gap = ImportedRule.Gap

    private static let kinds = [
        "1": "add header", "2": "remove header", "3": "modify header", "4": "host", "5": "path", "6": "URL",
        "7": "body", "8": "add query item", "9": "modify query item", "10": "remove query item", "11": "status",
    ]

    let tree: XMLTree
    /// The scheme of the places that it is for; empty where they have none or several.
    let scheme: String
    /// Likewise their port.
    let port: String

    private var type: String { tree.value("ruleType") }
    private var header: String { tree.value("matchHeader") }
    private var newHeader: String { tree.value("newHeader") }
    /// Values keep their blanks.
    private var value: String { tree.child("matchValue")?.text ?? "" }
    private var newValue: String { tree.child("newValue")?.text ?? "" }
    private var isRegex: Bool { tree.flag("matchValueRegex") }
    private var isWhole: Bool { tree.flag("matchWholeValue") }
    /// What `value` says as a regular expression.
    private var source: String { isRegex ? value : RuleSketch.expression(value) }

    /// `add header X-Test`.
    var name: String {
        let label = [header, newHeader, newValue].first { !$0.isEmpty } ?? ""
        return "\(CharlesRewrite.kinds[type] ?? "rule of type \(type)") \(ImportedRule.short(label))"
    }

    /// The host, path or URL that it is for, empty for any, and what takes its place; `nil` for a rule that changes none of them.
    var move: (old: String, new: String)? { ["4", "5", "6"].contains(type) ? (value, newValue) : nil }

    /// Whether it changes whole URLs, with what is behind `?`.
    var isOfWholeURL: Bool { type == "6" && isWhole }

    /// Whether it changes hosts alone.
    var isOfHost: Bool { type == "4" }

    /// Whether it changes paths alone.
    var isOfPath: Bool { type == "5" }

    /// Whether it changes the items of a query.
    var isOfQuery: Bool { ["8", "9", "10"].contains(type) }

    /// Whether it does so only where the query has an item.
    var asksOfQuery: Bool { type == "9" || type == "8" && !header.isEmpty }

    /// Whether it changes the field of a request that says its host.
    var isOfHostField: Bool {
        ["1", "2", "3"].contains(type) && tree.flag("matchRequest")
            && [header, newHeader].contains { ASCII.isSame($0, "host") }
    }

    /// Says what it does.
    func fill(_ rule: inout ImportedRule) throws {
        guard !tree.flag("matchHeaderRegex") else { throw Gap("names by a regular expression, '\(header)'") }
        if isRegex { try QueryPattern.mustBeOurs(value, isJava: true) }
        switch type {
        case "1":
            guard !header.isEmpty || isForAll else { throw Gap("the value '\(value)' of any header") }
            if !header.isEmpty { rule.terms.append(try headerTerm) }
            try edit(&rule, ["fields": ["add": [newHeader: .plain(newValue)]]])
        case "2":
            if !value.isEmpty {
                rule.terms.append(try headerTerm)
                rule.lose("only the lines with this value; here all lines of that name go")
            }
            try edit(&rule, ["fields": ["remove": .text(try ImportedRule.literal(header))]])
        case "3": try modifyHeader(&rule)
        case "4":
            guard isForAll || isExact, CharlesLocation.isPlain(newValue) else { throw part }
            if !isForAll { rule.terms.append(QueryPattern.exact("host", value)) }
            if scheme.isEmpty { rule.lose("the scheme of the request stays; here it becomes https") }
            let isPort = port.wholeMatch(of: /[0-9]+/) != nil
            if !isPort { rule.lose("the port of the request stays; here it becomes the usual one") }
            let origin = "\(scheme.isEmpty ? "https" : scheme)://\(newValue.trimmingBlanks)"
            rule.add("send", ["to": .text(origin + (isPort ? ":\(port)" : ""))])
        case "5":
            guard isForAll || isExact else { throw part }
            if !isForAll { rule.terms.append(QueryPattern.exact("path", value, mindsCase: tree.flag("caseSensitive"))) }
            guard !newValue.contains("?") else { throw Gap("the query in the path '\(newValue)'") }
            rule.add("request", ["path": .plain(newValue)])
        case "6":
            guard !isRegex else { throw part }
            let end = isWhole ? "$" : ""
            if !isForAll {
                rule.terms.append(try QueryPattern.regex("url", "\(flags)^\(RuleSketch.expression(value))\(end)"))
            }
            if isWhole { try rule.send(to: newValue) } else { try rule.send(to: newValue, insteadOf: value) }
        case "7":
            let change: RuleValue = isForAll ? ["text": .plain(newValue)] : ["replace": try replacement()]
            try edit(&rule, ["body": change])
        case "8":
            guard !header.isEmpty || isForAll else { throw Gap("the value '\(value)' of any query item") }
            if !header.isEmpty { rule.terms.append(try queryTerm) }
            rule.add("request", ["query": ["add": [newHeader: .plain(newValue)]]])
        case "9": try modifyQuery(&rule)
        case "10":
            if !value.isEmpty { rule.lose("only items with the value '\(value)'; here all of that name go") }
            rule.add("request", ["query": ["remove": .text(try ImportedRule.literal(header))]])
        case "11":
            let (old, new) = (value.trimmingBlanks.prefix(3), newValue.trimmingBlanks.prefix(3))
            guard !isRegex else { throw part }
            if !old.isEmpty { rule.terms.append(QueryPattern.containing("code", String(old))) }
            rule.add("response", ["status": .text(String(new))])
        default: throw Gap("a rule of type '\(type)'")
        }
    }

    /// Whether it is for any value.
    private var isForAll: Bool { value.isEmpty }

    /// Whether it is for one value and no other.
    private var isExact: Bool { !isRegex && isWhole }

    private var part: Gap { Gap("'\(newValue)' in the place of '\(value)', a part of a value") }

    /// Adds the same change of requests, of responses, or of both.
    private func edit(_ rule: inout ImportedRule, _ change: RuleValue) throws {
        let sides = MessageSide.allCases.filter { tree.flag($0 == .request ? "matchRequest" : "matchResponse") }
        guard !sides.isEmpty else { throw Gap("it is for neither requests nor responses") }
        for side in sides { rule.add(side.rawValue, change) }
    }

    private func modifyHeader(_ rule: inout ImportedRule) throws {
        let isSame = newHeader.isEmpty || ASCII.isSame(newHeader, header)
        if isSame, !isForAll { return try edit(&rule, ["fields": ["replace": [header: try replacement()]]]) }
        guard !newValue.isEmpty, isForAll || isWhole else {
            throw Gap("another name for a header that keeps its value")
        }
        guard isForAll || !isRegex || !newValue.contains(/[$\\]/) else {
            throw Gap("groups of '\(value)' in a header of another name")
        }
        rule.terms.append(try headerTerm)
        try edit(
            &rule,
            isSame
                ? ["fields": ["set": [header: .plain(newValue)]]]
                : ["fields": ["remove": .text(try ImportedRule.literal(header)), "add": [newHeader: .plain(newValue)]]]
        )
    }

    private func modifyQuery(_ rule: inout ImportedRule) throws {
        let isSame = newHeader.isEmpty || newHeader == header
        guard isSame || !newValue.isEmpty else { throw part }
        rule.terms.append(try queryTerm)
        if !isForAll { rule.lose("items of that name with another value stay; here they go") }
        let removed: RuleValue? = isSame ? nil : .text(try ImportedRule.literal(header))
        let item: RuleValue = [isSame ? header : newHeader: .plain(newValue)]
        rule.add("request", ["query": ["remove": removed, "set": item]])
    }

    /// The term that asks for the header, and for its value where one is named.
    private var headerTerm: String {
        get throws {
            let end = isForAll ? "" : flags + (isWhole ? "^(?:\(source))$" : source)
            return try QueryPattern.field("header", header, end)
        }
    }

    /// The term that asks for the query's item, and for its value where one is named.
    private var queryTerm: String {
        get throws {
            guard isForAll || isExact else { throw part }
            let end = isForAll ? "" : "\(RuleSketch.expression(value))(&|$)"
            return try QueryPattern.regex("query", "\(flags)(^|&)\(RuleSketch.expression(header))=\(end)")
        }
    }

    /// What begins an expression that minds case.
    private var flags: String { tree.flag("caseSensitive") ? "(?-i)" : "" }

    /// What replaces a value, or a part of it.
    private func replacement() throws -> RuleValue {
        let first: RuleValue? = tree.value("replaceType") == "1" ? "true" : nil
        let mindsCase = tree.flag("caseSensitive") || value.lowercased() == value.uppercased()
        if !isRegex, !isWhole, mindsCase {
            return ["find": .text(value), "with": .plain(newValue), "first": first]
        }
        // Charles writes 'newValueRegex' as false beside groups too.
        return [
            "regex": .text((mindsCase ? "" : "(?i)") + (isWhole ? "^(?:\(source))$" : source)),
            "with": isRegex ? try GroupReferences.java(newValue) : .plain(newValue), "first": first,
        ]
    }
}
