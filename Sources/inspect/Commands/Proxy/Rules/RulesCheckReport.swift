import Traffic

/// What `inspect rules check` shows of rules that can be read: how many there are, and what is probably not meant so.
struct RulesCheckReport: Report {
    let rules: [Rule]

    private var onCount: Int { rules.count { !$0.isOff } }

    /// `12 rules, 10 on`, and a line for each warning.
    func lines(in layout: Layout) -> [String] {
        let warnings = RuleWarning.all(in: rules).map { warning in
            layout.style.paint("warning", .yellow) + " " + VisibleText.line(warning.description)
        }
        return ["\(rules.count.counted("rule")), \(onCount) on"] + warnings
    }

    /// Writes `{"rules","on","warnings":[{"path","line","column","sentence"}]}`.
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.integer("rules", rules.count)
            json.integer("on", onCount)
            json.objects("warnings", RuleWarning.all(in: rules)) { warning, json in
                json.string("path", warning.place.path)
                json.integer("line", warning.place.line)
                json.integer("column", warning.place.column)
                json.string("sentence", warning.sentence)
            }
        }
    }
}
