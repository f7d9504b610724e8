import Traffic

/// A rule of another program in the words of ours, as far as these go.
struct ImportedRule {
    /// Why something of it cannot be said: a sentence without a full stop.
    struct Gap: Error {
        let sentence: String
        init(_ sentence: String) { self.sentence = ImportedRule.short(sentence, ImportedRule.gapLimit) }
    }

    /// Scalars of a name as the other program has it.
    private static let nameLimit = 200
    /// Scalars of a sentence that says what is lost.
    private static let gapLimit = 1_000

    /// What is lost of a rule that works on what others made of a URL.
    static let ownURL = "it works on the URL that a rule above made too; here on the request's own alone"

    var name: String
    /// The term for the places of a set, the same in all of its rules; it asks of requests alone, and is read once.
    var places: String?
    /// Further terms of the query, all of which must hold.
    var terms: [String] = []
    /// What the rule does and how often, as members of the rule.
    private(set) var members: [RuleValue.Member] = []
    /// What cannot be said.
    private(set) var gaps: [String] = []

    /// Makes a rule.
    ///
    /// - Parameters:
    ///   - name: its name, which is cut where it is long; it need not be unique.
    ///   - program: the program in which it was switched off; `nil` where it was on.
    ///   - fill: gives it terms and members; where it throws, the reason is all that is left of the rule.
    init(_ name: String, offIn program: String? = nil, _ fill: (inout ImportedRule) throws -> Void) {
        self.name = ImportedRule.short(name)
        do { try fill(&self) } catch { drop(because: (error as? Gap)?.sentence ?? "\(error)") }
        if let program, isSaid { add("note", .text("it was off in \(program)")) }
    }

    /// The beginning of a text: a file may give one long text to thousands of rules.
    static func short(_ text: String, _ limit: Int = nameLimit) -> String {
        text.utf8.count > limit ? String(text.unicodeScalars.prefix(limit)) : text
    }

    /// A name in the place of a pattern of ours, in which `*` stands for anything.
    static func literal(_ name: String) throws -> String {
        guard !name.contains("*") else { throw Gap("the name '\(name)', in which * is itself") }
        return name
    }

    /// Throws where a file has more rules than are taken, before any of them is made.
    static func mustBeFew(_ count: Int, path: String) throws {
        guard count <= RuleList.limit else {
            throw InputError("\(path) holds \(count) rules; at most \(RuleList.limit) are taken")
        }
    }

    /// Rules of which the first that matches is the only one for a request: each but the last ends the list.
    static func onlyFirst(_ rules: [ImportedRule]) -> [ImportedRule] {
        let last = rules.lastIndex { $0.isSaid }
        return zip(rules.indices, rules).map { index, rule in
            var rule = rule
            if rule.isSaid, index != last { rule.add("stop", "true") }
            return rule
        }
    }

    /// Whether anything of it can be said.
    var isSaid: Bool { !members.isEmpty }

    /// The condition as a query.
    var condition: String { ((places.map { [$0] } ?? []) + terms).joined(separator: " ") }

    /// The bytes that it takes when it is written out, but for what has to be escaped.
    var byteCount: Int {
        ([places ?? ""] + terms + gaps).reduce(0) { $0 + $1.utf8.count } + members.reduce(0) { $0 + $1.flow.utf8.count }
    }

    /// The rule as lines of YAML.
    var lines: [String] {
        ["- name: \(YAMLScalar.quoted(name))"]
            + (condition.isEmpty ? [] : ["  when: \(YAMLScalar.value(condition, indent: 2))"])
            + ["  off: true"] + members.map { "  \($0.flow)" }
    }

    /// Adds a member.
    mutating func add(_ name: String, _ value: RuleValue) { members.append(RuleValue.Member(name: name, value: value)) }

    /// Notes something that cannot be said.
    mutating func lose(_ gap: String) { gaps.append(Gap(gap).sentence) }

    /// Takes away all but what cannot be said.
    mutating func drop(because gap: String) {
        (places, terms, members) = (nil, [], [])
        lose(gap)
    }

    // MARK: URLs

    /// Sends requests to exactly one URL.
    mutating func send(to url: String) throws {
        let (target, path) = try ImportedRule.split(url)
        add("send", ["to": .text(target)])
        add("request", ["target": .plain(path.isEmpty ? "/" : path)])
    }

    /// Sends requests to the URL that comes about where a text takes the place of what an expression matches in theirs.
    mutating func send(to url: String, inPlaceOf source: String) throws {
        let expression = URLExpression(source)
        if expression.isWhole { return try send(to: url) }
        guard let start = expression.start else { throw Gap("'\(url)' in the place of what '\(source)' matches") }
        guard start.hasPrefix("//"), url.hasPrefix("//") else { return try send(to: url, insteadOf: start) }
        lose("the scheme of the request stays; here it becomes https")
        try send(to: "https:\(url)", insteadOf: "https:\(start)")
    }

    /// Sends requests whose URL begins with one text to the URL that begins with another.
    mutating func send(to url: String, insteadOf start: String) throws {
        let (old, new) = (try ImportedRule.split(start), try ImportedRule.split(url))
        let oldPath = old.path.isEmpty ? "/" : old.path
        guard old.path == new.path || oldPath == "/" && old.path.hasSuffix("/") == new.path.hasSuffix("/") else {
            throw Gap("'\(url)' in the place of '\(start)', a part of the path")
        }
        guard let endpoint = try? ReplayTarget(old.origin).endpoint else {
            throw Gap("'\(start)' is no beginning of http: or https:")
        }
        // What begins so may be another host's URL: https://a.test is the beginning of https://a.test.example.
        terms.append(QueryPattern.exact("host", endpoint.host))
        if old.path.isEmpty {
            // And of https://a.test:8443, whose port would stay.
            let isNamed = old.origin.contains(/:[0-9]+$/)
            terms.append("port:\(isNamed ? "\(endpoint.port)" : "80,443")")
            if !isNamed { lose("the port stays where a URL has one; here only the usual ports are taken") }
        }
        add("send", ["to": .text(new.origin + (old.path == new.path ? "" : new.path))])
    }

    /// An absolute URL as its origin and what follows.
    private static func split(_ url: String) throws -> (origin: String, path: String) {
        guard let mark = url.firstRange(of: "://") else { throw Gap("'\(url)' is no whole URL") }
        let authority = url[mark.upperBound...].prefix { !"/?#".contains($0) }
        let path = url[authority.endIndex...].prefix { $0 != "#" }
        return (String(url[..<authority.endIndex]), path.hasPrefix("?") ? "/\(path)" : String(path))
    }
}
