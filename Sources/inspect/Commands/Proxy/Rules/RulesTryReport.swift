import Traffic

/// What `inspect rules try` shows: how often each rule would have applied, and the exchanges that it would have touched.
struct RulesTryReport: Report {
    /// Characters of an answer's body that a person is shown.
    private static let bodyLimit = 2_000

    let run: RuleTrialRun
    /// Rules whose changes of messages JSON does not tell.
    var hidden: Set<String> = []
    /// Whether notes are hidden that quote a text of a rule.
    var hidesQuotes = false

    // MARK: Lines

    /// A line for each rule, then the exchanges, or the messages of the one that was asked for.
    func lines(in layout: Layout) -> [String] {
        var table = TextColumns(
            style: layout.style,
            width: layout.width,
            widths: [1, 1],
            isRight: [true, false]
        )
        let cells = zip(run.rules, run.figures).map { rule, figures -> [TextColumns.Cell] in
            [
                (String(figures.hits), figures.hits > 0 ? .green : .dim),
                (VisibleText.line(rule.name) + Self.rest(figures, rule), nil),
            ]
        }
        for row in cells { table.fit(row.map(\.text)) }
        var lines = cells.map { table.line($0) }
        lines.append("\(run.touchedCount) of \(run.count.counted("exchange")) would have been touched")
        if let shown = run.shown { return lines + [""] + messages(shown, in: layout) }
        guard !run.rows.isEmpty else { return lines }
        lines.append("")
        for row in run.rows {
            lines.append(ShortAddress.line(row.summary, after: "\(row.summary.id)  ", in: layout))
            let differ = row.mayDiffer ? "; answer may differ" : ""
            let gap = row.gap.map { "; rules for the response were not tried: \($0)" } ?? ""
            let line = VisibleText.line(Self.sentence(row.uses) + differ + gap)
            lines += LineBreaks.lines(line, after: "    ", in: layout)
        }
        let more = run.touchedCount - run.rows.count
        if more > 0 { lines.append("and \(more) more") }
        return lines
    }

    /// `  (off)`, `  (shadowed 3 times, skipped 2 times, failed 1 time)`.
    private static func rest(_ figures: RuleCounter.Figures, _ rule: Rule) -> String {
        var parts = rule.isOff ? ["off"] : []
        if figures.shadowed > 0 { parts.append("shadowed \(figures.shadowed.counted("time"))") }
        if figures.unknowns > 0 { parts.append("skipped \(figures.unknowns.counted("time"))") }
        if figures.faults > 0 { parts.append("failed \(figures.faults.counted("time"))") }
        return parts.isEmpty ? "" : "  (\(parts.joined(separator: ", ")))"
    }

    /// What rules would have done, and why others would have done nothing: `staging (host), no csp: shadowed by stub`.
    static func sentence(_ uses: [RuleUse]) -> String {
        var parts = uses.sentence.isEmpty ? [] : [uses.sentence]
        for use in uses where !use.isChange {
            if let note = use.note {
                parts.append("\(use.rule): \(note)")
            } else if !use.what.isEmpty {
                parts.append("\(use.rule) (\(use.action) \(use.what))")
            } else {
                parts.append(use.action == "stop" ? "\(use.rule) (stop)" : "\(use.rule) (nothing to change)")
            }
        }
        return parts.joined(separator: ", ")
    }

    // MARK: Messages

    /// The heads of one exchange before and after.
    private func messages(_ shown: RuleTrialRun.Shown, in layout: Layout) -> [String] {
        guard let touch = shown.touch else { return ["no rule touches exchange \(shown.id)"] }
        var lines = LineBreaks.lines(VisibleText.line(Self.sentence(touch.uses)), in: layout)
        if let destination = touch.request?.destination {
            if let origin = destination.origin { lines.append("sent to \(VisibleText.line(origin.authority))") }
            if !destination.addresses.isEmpty {
                lines.append("at \(VisibleText.line(destination.addresses.joined(separator: ", ")))")
            }
            if let proxy = destination.upstreamProxy { lines.append("through \(VisibleText.line(proxy))") }
        }
        func add(_ title: String, _ difference: [String]) {
            guard !difference.isEmpty else { return }
            lines += ["", layout.style.paint(title, .bold)] + difference.map { Self.painted($0, layout) }
        }
        add("Request", touch.request.map { HeadDifference.lines(shown.request?.head, $0.head) } ?? [])
        add("Request body", Self.lines(of: touch.bodies[.request]))
        add("Response", Self.response(shown, touch))
        add("Response body", Self.lines(of: touch.bodies[.response]))
        if touch.mayDiffer { lines += ["", "The answer may differ from the recorded one."] }
        if let gap = touch.gap {
            lines += LineBreaks.lines("Rules for the response were not tried: \(VisibleText.line(gap)).", in: layout)
        }
        return lines
    }

    /// The differences of a body, whose texts a peer wrote.
    private static func lines(of body: TriedBody?) -> [String] {
        DifferenceLines.lines(body?.differences ?? []).map { VisibleText.line($0) }
    }

    /// The response's head before and after, and the body of a rule's answer.
    private static func response(_ shown: RuleTrialRun.Shown, _ touch: RuleTrial.Touch) -> [String] {
        guard let answer = touch.answer else {
            return touch.response.map { HeadDifference.lines(shown.response?.head, $0.head) } ?? []
        }
        var lines = HeadDifference.lines(shown.response?.head, touch.response?.head ?? answer.head)
        guard answer.length > 0 else { return lines }
        lines.append("+ ")
        let bytes = shown.answerStart
        guard Int64(bytes.count) < answer.length || String(validating: bytes, as: UTF8.self) != nil else {
            return lines + ["+ \(answer.length.counted("byte")) that are no text"]
        }
        let text = ByteText.lossless(bytes)
        lines += VisibleText.lines(String(text.prefix(bodyLimit))).split(separator: "\n").map { "+ \($0)" }
        if text.count > bodyLimit || Int64(bytes.count) < answer.length { lines.append("+ …") }
        return lines
    }

    private static func painted(_ line: String, _ layout: Layout) -> String {
        let colour: Style.Colour? = line.hasPrefix("+ ") ? .green : line.hasPrefix("- ") ? .red : nil
        let cut = layout.width.map { TextColumns.cut(line, to: $0) } ?? line
        return colour.map { layout.style.paint(cut, $0) } ?? cut
    }

    /// What would have been changed of both bodies.
    private static func bodies(_ touch: RuleTrial.Touch) -> [Difference] {
        MessageSide.allCases.flatMap { touch.bodies[$0]?.differences ?? [] }
    }

    // MARK: JSON

    /// Writes `{"looked","touched","rules":[{"name","path","line","on","hits","shadowed","skipped","failed"}],
    /// "exchanges":[{"exchange","changes","uses","mayDiffer","untried"}]}`,
    /// and under `shown` the heads of the exchange that was asked for, and the differences of its bodies.
    func write(to json: inout JSONWriter) { json.object { writeMembers(to: &$0) } }

    /// Writes the members of that object.
    func writeMembers(to json: inout JSONWriter) {
        json.integer("looked", run.count)
        json.integer("touched", run.touchedCount)
        json.objects("rules", zip(run.rules, run.figures)) { counted, json in
            let (rule, figures) = counted
            json.string("name", rule.name)
            json.string("path", rule.place.path)
            json.integer("line", rule.place.line)
            json.boolean("on", !rule.isOff)
            json.integer("hits", figures.hits)
            json.integer("shadowed", figures.shadowed)
            json.integer("skipped", figures.unknowns)
            json.integer("failed", figures.faults)
        }
        json.objects("exchanges", run.rows) { row, json in
            json.object("exchange") { json in
                json.integer("id", row.summary.id)
                json.string("method", row.summary.method)
                json.string("url", row.summary.url)
                json.integer("code", row.summary.code)
            }
            Self.write(row.uses.map(told), &json)
            json.boolean("mayDiffer", row.mayDiffer)
            json.string("untried", row.gap)
        }
        guard let shown = run.shown else { return }
        json.object("shown") { Self.write(shown, &$0) }
    }

    private func told(_ use: RuleUse) -> RuleUse {
        var use = use
        if use.isChange, hidden.contains(use.rule) { use.what = "<hidden>" }
        // It may quote what could not be put in, or where.
        let quotes = use.note?.utf8.contains { "'/(".utf8.contains($0) } == true
        if hidesQuotes, quotes { use.note = "<hidden>" }
        return use
    }

    private static func write(_ uses: [RuleUse], _ json: inout JSONWriter) {
        json.string("changes", uses.sentence)
        json.objects("uses", uses) { use, json in
            json.string("rule", use.rule)
            json.string("phase", use.phase.rawValue)
            json.string("action", use.action)
            json.string("what", use.what)
            json.string("note", use.note)
        }
    }

    private static func write(_ shown: RuleTrialRun.Shown, _ json: inout JSONWriter) {
        json.integer("id", shown.id)
        guard let touch = shown.touch else {
            json.array("uses") { _ in }
            return
        }
        write(touch.uses, &json)
        json.boolean("mayDiffer", touch.mayDiffer)
        json.string("untried", touch.gap)
        json.strings("request", touch.request.map { HeadDifference.lines(shown.request?.head, $0.head) } ?? [])
        json.strings("response", response(shown, touch))
        json.objects("bodies", bodies(touch)) { difference, json in difference.write(members: &json) }
    }
}
