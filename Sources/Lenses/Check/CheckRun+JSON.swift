package import Traffic

extension CheckRun {
    /// What `write` writes, on one line that ends with a line feed.
    package func json(title: String, isStrict: Bool = false) -> [UInt8] {
        var json = JSONWriter()
        write(to: &json, title: title, isStrict: isStrict)
        json.newline()
        return json.take()
    }

    /// Findings of each rule that are told of a run that is not at its end.
    private static let toldSoFar = 5

    /// A run that is not at its end, on one line that ends with a line feed: `{"looked","total","exchanges","checked","rules":[…]}`.
    ///
    /// Its rules are as those of the whole run, each with its first few findings.
    ///
    /// - Parameters:
    ///   - looked: exchanges of the store that were looked at, selected or not.
    ///   - total: exchanges of the store.
    /// - Returns: the line.
    package func progress(looked: Int, total: Int) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.integer("looked", looked)
            json.integer("total", total)
            json.integer("exchanges", count)
            json.integer("checked", checkedCount)
            writeRules(to: &json, told: CheckRun.toldSoFar)
        }
        json.newline()
        return json.take()
    }

    /// Writes the run as one object: `{"holds","query","searchedInPart","exchanges","checked","notDescribed","rules":[…],"changes":[…],"unchecked":[…]}`.
    ///
    /// It has only those rules that have findings.
    ///
    /// - Parameters:
    ///   - json: where to.
    ///   - title: the selection that was checked, in words.
    ///   - isStrict: whether notices fail too.
    package func write(to json: inout JSONWriter, title: String, isStrict: Bool) {
        json.object { json in
            json.boolean("holds", holds(isStrict: isStrict))
            json.string("query", title)
            json.integer("searchedInPart", searchedInPart)
            json.integer("exchanges", count)
            json.integer("checked", checkedCount)
            json.integer("notDescribed", undescribedCount)
            writeRules(to: &json, told: .max)
            json.integer("changed", changeCount)
            json.array("changes") { json in
                for change in changes {
                    json.object { json in
                        json.integer("before", change.before)
                        json.integer("after", change.after.id)
                        json.string("method", change.after.method)
                        json.string("url", change.after.url)
                        json.array("changes") { json in for sentence in change.sentences { json.string(nil, sentence) }
                        }
                    }
                }
            }
            json.array("unchecked") { json in
                for note in unchecked {
                    json.object { json in
                        json.integer("exchange", note.id > 0 ? note.id : nil)
                        json.string("message", note.sentence)
                        json.integer("more", note.more)
                    }
                }
            }
        }
    }

    private func writeRules(to json: inout JSONWriter, told limit: Int) {
        json.array("rules") { json in
            for outcome in outcomes where outcome.count > 0 { CheckRun.write(outcome, told: limit, to: &json) }
        }
    }

    private static func write(_ outcome: CheckRun.Outcome, told limit: Int, to json: inout JSONWriter) {
        json.object { json in
            json.string("rule", outcome.rule.id)
            json.string("title", outcome.rule.title)
            json.string("severity", outcome.rule.severity.rawValue)
            json.string("consequence", outcome.rule.consequence)
            json.integer("count", outcome.count)
            json.integer("exchanges", outcome.exchangeCount)
            json.array("findings") { json in
                for (row, finding) in outcome.shown.prefix(limit) {
                    json.object { json in
                        json.integer("exchange", row.id)
                        json.string("method", row.method)
                        json.string("url", row.url)
                        json.string("side", finding.side.rawValue)
                        json.string("pointer", finding.pointer)
                        json.string("message", finding.message)
                        json.integer("more", finding.more)
                        json.string("consequence", finding.consequence)
                    }
                }
            }
        }
    }

    /// Whether the check passes: it found no breach, and where `isStrict` is true no notice either.
    package func holds(isStrict: Bool) -> Bool {
        !outcomes.contains { $0.count > 0 && (isStrict || $0.rule.severity == .breach) }
    }
}
