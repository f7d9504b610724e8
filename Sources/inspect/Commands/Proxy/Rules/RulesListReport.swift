import Traffic

/// What `inspect rules` shows: the rules of the running proxy, with what they have done.
struct RulesListReport: Report {
    let list: RunningRuleList.List
    /// Microseconds since 1970.
    let now: Int64

    /// A line for each rule, and what is wrong with the files.
    func lines(in layout: Layout) -> [String] {
        let problems = list.problems.map { layout.style.paint(VisibleText.line($0), .red) }
        let trouble =
            problems.isEmpty ? [] : problems + ["The files were not read anew; the rules of before hold."]
        guard !list.rules.isEmpty else { return ["no rules"] + trouble }
        var table = TextColumns(
            style: layout.style,
            width: layout.width,
            widths: [1, 1, 1, 1],
            isRight: [false, true, false, false]
        )
        let heading: [TextColumns.Cell] = [("", nil), ("hits", .dim), ("last hit", .dim), ("rule", .dim)]
        let rows = [heading] + list.rules.map(cells)
        for row in rows { table.fit(row.map(\.text)) }
        return rows.map { table.line($0) } + trouble
    }

    private func cells(_ rule: RunningRuleList.Rule) -> [TextColumns.Cell] {
        let state = !rule.on ? "off" : rule.hasEnded(now) ? "ended" : "on"
        let last = rule.lastHit.flatMap({ Timestamp.microseconds($0) }).map { LocalTime.text(microseconds: $0) }
        var notes: [String] = []
        if rule.skipped > 0 { notes.append("skipped \(rule.skipped.counted("time"))") }
        if rule.shadowed > 0 { notes.append("shadowed \(rule.shadowed.counted("time"))") }
        let rest = notes.isEmpty ? "" : "  (\(notes.joined(separator: ", ")))"
        return [
            (state, state == "on" ? .green : .dim), (String(rule.hits), nil), (last ?? "-", .dim),
            (VisibleText.line(rule.name) + rest, nil),
        ]
    }

    /// Writes of what the API says: `{"rules","files","problems"}`; a rule has
    /// `{"name","on","group","when","actions","path","line","hits","lastHit","skipped","shadowed","ends","ended"}`.
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.objects("rules", list.rules) { rule, json in
                json.string("name", rule.name)
                json.boolean("on", rule.on)
                json.string("group", rule.group)
                json.string("when", rule.when)
                json.strings("actions", rule.actions)
                json.string("path", rule.path)
                json.integer("line", rule.line)
                json.integer("hits", rule.hits)
                json.string("lastHit", rule.lastHit)
                json.integer("skipped", rule.skipped)
                json.integer("shadowed", rule.shadowed)
                json.string("ends", rule.ends)
                json.string("ended", rule.ended)
            }
            json.strings("files", list.files)
            json.strings("problems", list.problems)
        }
    }
}
