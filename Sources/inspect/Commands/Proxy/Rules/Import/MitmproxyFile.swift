import Foundation
import Traffic

/// Rules of mitmproxy: the values of five options in its `config.yaml`.
///
/// A value is two or three parts between a sign that is its first character; of three the first is a flow filter.
enum MitmproxyFile {
    private typealias Gap = ImportedRule.Gap

    /// Bytes of a value.
    private static let limitBytes = 64 << 10
    /// Bytes of all values, those behind aliases counted as often as they are named: as many as a file has.
    private static let allLimitBytes = 4 << 20
    /// The options with rules in the order in which they work there, whatever the file's.
    ///
    /// `map_remote` is the second there, and the last here, where nothing stands behind it that its first match would end.
    private static let options = ["block_list", "map_local", "modify_body", "modify_headers", "map_remote"]

    /// One value of an option, whose filter is in the rule already.
    private struct Value {
        let side: MessageSide?
        let filter: String
        let subject: String
        let replacement: String

        /// The messages that it is for.
        var sides: [MessageSide] { side.map { [$0] } ?? MessageSide.allCases }

        /// Throws where it is for responses, though what it does is done before there is one.
        func mustBeOfRequest() throws {
            if side == .response { throw Gap("it depends on the response, and is done to the request") }
        }
    }

    /// The rules, option by option; none where the file has none of these options.
    ///
    /// - Throws: `RuleProblem` where the text is no YAML, `InputError` where its rules are too many or too long.
    static func rules(_ text: String, path: String) throws -> [ImportedRule] {
        guard case .mapping(let members)? = try RuleTree.reading(text, path: path)?.content else { return [] }
        let lists: [(option: String, values: [RuleTree])] = options.flatMap { option in
            members.filter { $0.name.text == option }.map { member in
                var values = [member.value]
                if case .list(let elements) = member.value.content { values = elements }
                return (option, values.filter { !$0.isNothing })
            }
        }
        try ImportedRule.mustBeFew(lists.reduce(0) { $0 + $1.values.count }, path: path)
        let bytes = lists.flatMap(\.values).reduce(0) { $0 + ($1.text?.utf8.count ?? 0) }
        guard bytes <= allLimitBytes else {
            throw InputError("\(path) holds values over 4 MiB; aliases count as often as they are named")
        }
        // The filters of the rules for a header's name, which is in lower case.
        var filters: [String: Set<String>] = [:]
        var made = MadeURLs()
        let rules = lists.flatMap { option, values in
            values.map { tree in
                let rule = ImportedRule("\(option) \(ImportedRule.short(tree.text ?? ""))") { rule in
                    guard let text = tree.text else { throw Gap("its value is no text") }
                    let value = try read(text, of: option, &rule)
                    switch option {
                    case "map_local": try mapLocal(value, &rule)
                    case "map_remote": try mapRemote(value, &made, &rule)
                    case "modify_headers": try modifyHeader(value, &filters, &rule)
                    case "modify_body": try modifyBody(value, &rule)
                    default: try block(value, &rule)
                    }
                }
                return (option: option, rule: rule)
            }
        }
        let remotes = rules.filter { $0.option == "map_remote" }.map(\.rule)
        let others = rules.filter { $0.option != "map_remote" }
            .map { remotes.contains(where: \.isSaid) ? behindRemote($0.rule, of: $0.option) : $0.rule }
        return others + ImportedRule.onlyFirst(remotes)
    }

    /// A rule that looks at the URL which `map_remote` has made there.
    private static func behindRemote(_ rule: ImportedRule, of option: String) -> ImportedRule {
        let isEarlier =
            option == "block_list" || option == "modify_headers" && rule.members.allSatisfy { $0.name == "request" }
        guard rule.isSaid, !isEarlier, rule.terms.contains(where: { $0.contains("url:") || $0.contains("host:") })
        else {
            return rule
        }
        var rule = rule
        rule.lose("it looks at the URL that map_remote made; here at the request's own")
        return rule
    }

    private static func read(_ text: String, of option: String, _ rule: inout ImportedRule) throws -> Value {
        let scalars = text.unicodeScalars
        guard text.utf8.count <= limitBytes else { throw Gap("its value is over 64 KiB") }
        guard let sign = scalars.first else { throw Gap("its value is empty") }
        var parts = scalars.dropFirst().split(separator: sign, maxSplits: 2, omittingEmptySubsequences: false)
            .map { String($0) }
        if option == "block_list" { parts.insert("", at: min(1, parts.count)) }
        if parts.count == 2 { parts.insert("", at: 0) }
        guard parts.count == 3 else { throw Gap("'\(text)' has too few or too many parts between \(sign)") }
        let filter = try MitmproxyFilter(parts[0])
        if let term = filter.term { rule.terms.append(term) }
        if option.hasPrefix("modify_") { filter.gaps.forEach { rule.lose($0) } }
        if option == "modify_headers", filter.asksOfBody {
            rule.lose(
                "headers change before their message's body is there, so that a filter on it holds for none; here it is waited for"
            )
        }
        return Value(side: filter.side, filter: parts[0].trimmingBlanks, subject: parts[1], replacement: parts[2])
    }

    /// A path in which `~` stands for a home directory, as Python has it: the variable `HOME` comes before what the system says.
    static func expanded(_ path: String, home: String? = ProcessInfo.processInfo.environment["HOME"]) -> String {
        guard let home, !home.isEmpty, path == "~" || path.hasPrefix("~/") else {
            return NSString(string: path).expandingTildeInPath
        }
        return home + path.dropFirst()
    }

    // MARK: Options

    private static func block(_ value: Value, _ rule: inout ImportedRule) throws {
        try value.mustBeOfRequest()
        let status = value.replacement
        // 444 is no response at all.
        if status == "444" { return rule.add("block", "close") }
        let isError = status.hasPrefix("4") || status.hasPrefix("5")
        rule.add(isError ? "block" : "respond", isError ? .text(status) : ["status": .text(status)])
    }

    private static func mapLocal(_ value: Value, _ rule: inout ImportedRule) throws {
        try value.mustBeOfRequest()
        rule.terms.append(try QueryPattern.regex("url", "(?-i)\(value.subject)"))
        let path = expanded(value.replacement)
        if !path.hasPrefix("/") { rule.lose("where \(path) lies; here it is looked for beside the rules") }
        var isDirectory: ObjCBool = false
        let isThere = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
        guard isThere ? isDirectory.boolValue : path.hasSuffix("/") else {
            return rule.add("respond", ["file": .text(path)])
        }
        // What follows the match names the file.
        guard let text = URLExpression(value.subject).start, let mark = text.firstRange(of: "://") else {
            throw Gap("a directory for '\(value.subject)', which is no beginning of a URL")
        }
        let place = text[mark.upperBound...]
        let start = place.drop { $0 != "/" }
        let strip: RuleValue? = start.isEmpty ? nil : .text(String(start))
        rule.add("respond", ["dir": .text(path), "strip": strip, "index": "index.html"])
    }

    private static func mapRemote(_ value: Value, _ made: inout MadeURLs, _ rule: inout ImportedRule) throws {
        try value.mustBeOfRequest()
        let (subject, target) = (value.subject, value.replacement)
        rule.terms.append(try QueryPattern.regex("url", "(?-i)\(subject)"))
        guard !target.contains("\\") else { throw Gap("'\(target)' in the place of what '\(subject)' matches") }
        try rule.send(to: target, inPlaceOf: subject)
        if made.mayMatch(URLExpression(subject).start) { rule.lose(ImportedRule.ownURL) }
        made.add(target)
    }

    /// All rules of a name take its lines away there before one of them adds its own.
    private static func modifyHeader(
        _ value: Value,
        _ filters: inout [String: Set<String>],
        _ rule: inout ImportedRule
    ) throws {
        guard !value.replacement.hasPrefix("@") else {
            throw Gap("a value from the file \(value.replacement.dropFirst())")
        }
        let name = try PythonEscapes.decoded(value.subject)
        let text = try PythonEscapes.decoded(value.replacement)
        let isNew = filters[ASCII.lower(name), default: []].insert(value.filter).inserted
        if !isNew, text.isEmpty {
            throw Gap("what it takes away has gone before a line is added")
        }
        if filters[ASCII.lower(name), default: []].count > 1 {
            rule.lose("the lines that other rules add to this name stay; here they go where both apply")
        }
        let change: RuleValue =
            text.isEmpty
            ? ["remove": .text(try ImportedRule.literal(name))]
            : [isNew ? "set" : "add": [name: .plain(text)]]
        for side in value.sides { rule.add(side.rawValue, ["fields": change]) }
    }

    private static func modifyBody(_ value: Value, _ rule: inout ImportedRule) throws {
        let change: RuleValue
        if value.replacement.hasPrefix("@") {
            let path = expanded(String(value.replacement.dropFirst()))
            guard path.hasPrefix("/") else {
                throw Gap(
                    "the content of the file \(path), which lies where mitmproxy was started; name it from the root"
                )
            }
            guard [".*", ".+", "^.*$"].contains(value.subject) else {
                throw Gap("the content of the file \(path) in the place of a part of the body")
            }
            change = ["file": .text(path)]
        } else {
            let with = try GroupReferences.python(try PythonEscapes.decoded(value.replacement))
            let subject = try PythonEscapes.decoded(value.subject)
            try QueryPattern.mustBeOurs(subject)
            change = ["replace": ["regex": .text("(?s)\(subject)"), "with": with]]
        }
        for side in value.sides { rule.add(side.rawValue, ["body": change]) }
    }
}
