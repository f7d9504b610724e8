import Traffic

/// What rules did to an exchange, as `show` prints it: the changes on a line, and whatever else is in the record on lines of their own.
struct RuleLines {
    /// Lines beside that of the changes; of more the number is said.
    private static let limit = 20

    private let uses: [RuleUse]

    init(_ uses: [RuleUse]) { self.uses = uses }

    /// The lines, each behind a heading of its own; none where no rule did anything.
    ///
    /// A change is `staging (host)`; a rule that changed nothing says why, or what else it did: `flaky: respond, shadowed by staging`.
    func lines(_ style: Style) -> [String] {
        let changes = uses.sentence
        let others = uses.filter { !$0.isChange || $0.note != nil }
        var lines = changes.isEmpty ? [] : ["Changed by: " + style.paint(VisibleText.line(changes), .yellow)]
        lines += others.prefix(RuleLines.limit).map { "Rule      " + VisibleText.line(RuleLines.text($0)) }
        let rest = others.count - RuleLines.limit
        if rest > 0 { lines.append("          and \(rest) more") }
        return lines
    }

    private static func text(_ use: RuleUse) -> String {
        let deed = use.what.isEmpty ? use.action : "\(use.action) \(use.what)"
        let reason = use.note ?? (use.what.isEmpty && use.action != "stop" ? "nothing to change" : nil)
        return "\(use.rule): \(deed)" + (reason.map { ", \($0)" } ?? "")
    }
}
