import Traffic

extension RuleUse {
    /// Characters of a rule's name, or of an action's word, that are read from an archive.
    private static let wordLimit = 100
    /// Characters of the changes, or of the note, that are read from an archive.
    private static let sentenceLimit = 10_000

    /// Writes the uses as a list under a name; nothing where there are none.
    static func write(_ uses: [RuleUse], as name: String, to json: inout JSONWriter) {
        guard !uses.isEmpty else { return }
        json.array(name) { json in for use in uses { use.write(to: &json) } }
    }

    private func write(to json: inout JSONWriter) {
        json.object { json in
            json.string("rule", rule)
            json.string("phase", phase.rawValue)
            json.string("action", action)
            json.string("what", what)
            if let microseconds { json.milliseconds("heldMs", microseconds: microseconds) }
            if let note { json.string("note", note) }
        }
    }

    /// Reads a use as `write` writes it; `nil` for anything else.
    fileprivate init?(_ value: JSONValue) {
        // No rule is named so, and a value of the facet is one name.
        guard let rule = value["rule"]?.string.map({ ArchiveFields.line($0).trimmingBlanks }), !rule.isEmpty,
            !rule.contains(","), rule.lowercased() != "none",
            let phase = value["phase"]?.string.flatMap(RulePhase.init),
            let action = value["action"]?.string
        else { return nil }
        func line(_ text: String, _ limit: Int) -> String { String(ArchiveFields.line(text).prefix(limit)) }
        self.init(
            rule: line(rule, RuleUse.wordLimit),
            phase: phase,
            action: line(action, RuleUse.wordLimit),
            what: line(ArchiveFields.text(value["what"]), RuleUse.sentenceLimit),
            note: value["note"]?.string.map { line($0, RuleUse.sentenceLimit) }
        )
        microseconds = ArchiveFields.microseconds(value["heldMs"])
    }
}

extension ArchiveFields {
    /// The record of rules, as exports write it; uses that cannot be read are left out.
    static func rules(_ value: JSONValue?) -> [RuleUse] { (value?.elements ?? []).compactMap { RuleUse($0) } }
}
