import Lenses
import Traffic

/// What `inspect check` shows: each rule that is broken, what changed between captures, and what was not checked.
struct CheckReport: Report {
    /// Sentences about one change that are printed, at most.
    private static let sentenceLimit = 8

    let run: CheckRun
    let title: String
    /// Whether notices fail too.
    let isStrict: Bool

    /// Whether no finding makes the check fail.
    var holds: Bool { run.holds(isStrict: isStrict) }

    /// Writes one object; see `CheckRun.write`.
    func write(to json: inout JSONWriter) { run.write(to: &json, title: title, isStrict: isStrict) }

    /// What is said of exchanges that were searched in part only; `nil` where there is none.
    private var part: String? { Listing.partSentence(run.searchedInPart) }

    private func isFailure(_ outcome: CheckRun.Outcome) -> Bool {
        outcome.count > 0 && (isStrict || outcome.rule.severity == .breach)
    }

    // MARK: lines

    /// Each rule that is broken with its first findings, what changed, what was not checked, and the sum.
    func lines(in layout: Layout) -> [String] {
        func painted(_ text: String, _ colour: Style.Colour) -> [String] {
            CheckReport.painted(LineBreaks.lines(VisibleText.line(text), in: layout), colour, layout)
        }
        var lines = painted(title, .dim)
        for outcome in run.outcomes where outcome.count > 0 { lines += self.lines(outcome, in: layout) }
        if !run.changes.isEmpty {
            lines += painted("changed between captures", .bold)
            for change in run.changes { lines += self.lines(change, in: layout) }
            let rest = run.changeCount - run.changes.count
            if rest > 0 { lines.append("  and \(rest) more") }
        }
        if !run.unchecked.isEmpty {
            lines += painted("not checked", .bold)
            lines += run.unchecked.flatMap { note in
                let more = note.more > 0 ? ", and \(note.more) more" : ""
                let text = note.id > 0 ? "\(note.sentence) (\(note.id)\(more))" : note.sentence
                return LineBreaks.lines(VisibleText.line(text), after: "  ", in: layout)
            }
            if run.untoldCount > 0 { lines.append("  and \(run.untoldCount) more") }
        }
        if let part { lines += LineBreaks.lines(part, in: layout) }
        return lines + sum(in: layout)
    }

    private func lines(_ outcome: CheckRun.Outcome, in layout: Layout) -> [String] {
        let style = layout.style
        let rule = outcome.rule
        let mark = rule.severity == .breach ? style.paint("BREACH", .red) : style.paint("notice", .yellow)
        var lines = LineBreaks.lines(
            "\(VisibleText.line(rule.title))  (\(outcome.count) in \(outcome.exchangeCount.counted("exchange")))",
            after: "\(mark)  \(style.paint(VisibleText.line(rule.id), .bold))  ",
            in: layout
        )
        lines += LineBreaks.lines(VisibleText.line(rule.consequence), after: "        ", in: layout)
        var last: ExchangeID?
        for (row, finding) in outcome.shown {
            if row.id != last { lines.append(ShortAddress.line(row, after: "  \(row.id)  ", in: layout)) }
            last = row.id
            let side = finding.side == .request ? "request " : ""
            let place =
                finding.pointer.isEmpty || finding.message.hasPrefix(finding.pointer) ? "" : "\(finding.pointer): "
            let consequence = finding.consequence == rule.consequence ? "" : ": \(finding.consequence)"
            let text = VisibleText.line("\(side)\(place)\(finding.message)\(consequence)")
            lines += LineBreaks.lines(text, after: "      ", in: layout)
        }
        if outcome.untold > 0 { lines.append("  and \(outcome.untold) more") }
        return lines
    }

    private func lines(_ change: CheckRun.Change, in layout: Layout) -> [String] {
        let row = change.after
        var lines = [ShortAddress.line(row, after: "  \(change.before) → \(row.id)  ", in: layout)]
        lines += change.sentences.prefix(CheckReport.sentenceLimit).flatMap {
            LineBreaks.lines(VisibleText.line($0), after: "      ", in: layout)
        }
        let rest = change.sentences.count - CheckReport.sentenceLimit
        if rest > 0 { lines.append("      and \(rest) more") }
        return lines
    }

    /// `217 breaches of 43 rules; findings in 2 of 40 exchanges checked (12 without rules)`.
    private func sum(in layout: Layout) -> [String] {
        let broken = run.outcomes.filter { $0.count > 0 }
        let breaches = broken.filter { $0.rule.severity == .breach }
        let notices = broken.filter { $0.rule.severity == .notice }.reduce(0) { $0 + $1.count }
        guard run.count > 0 else { return ["no exchange to check"] }
        let text: String
        if breaches.isEmpty {
            let noted = notices > 0 ? "; \(notices.counted("notice"))" : ""
            text = "\(run.checkedCount.counted("exchange")) checked, no rule is broken\(noted)"
        } else {
            let count = breaches.reduce(0) { $0 + $1.count }
            let words = "\(count.counted("breach", "breaches")) of \(breaches.count.counted("rule"))"
            text =
                "\(words); findings in \(run.foundCount) of \(run.checkedCount.counted("exchange")) checked"
        }
        var rest: [String] = []
        let unruled = run.count - run.checkedCount
        if run.undescribedCount > 0 { rest.append("\(run.undescribedCount) not described by the document") }
        if unruled > 0, unruled != run.undescribedCount { rest.append("\(unruled) without rules") }
        let whole = text + (rest.isEmpty ? "" : " (\(rest.joined(separator: ", ")))")
        return CheckReport.painted(LineBreaks.lines(whole, in: layout), holds ? .green : .red, layout)
    }

    private static func painted(_ lines: [String], _ colour: Style.Colour, _ layout: Layout) -> [String] {
        lines.map { layout.style.paint($0, colour) }
    }

    // MARK: reports

    /// A test case for each rule that applied.
    var junit: JUnitSuite {
        JUnitSuite(
            command: "check",
            title: title,
            cases: run.outcomes.map { outcome in
                let counted =
                    outcome.count == 0
                    ? "nothing found"
                    : "\(outcome.count) in \(outcome.exchangeCount.counted("exchange")): \(outcome.rule.consequence)"
                let shown = outcome.shown.map { row, finding in
                    "\(row.id) \(row.method) \(row.url) \(finding.side.rawValue) \(finding.pointer) \(finding.message)"
                }
                return JUnitSuite.Case(
                    name: "\(outcome.rule.id) \(outcome.rule.title)",
                    sentence: counted,
                    isFailure: isFailure(outcome),
                    details: shown + (outcome.untold > 0 ? ["and \(outcome.untold) more"] : [])
                )
            },
            note: part
        )
    }
}
