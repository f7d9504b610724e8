import Lenses
import Traffic

extension CheckView {
    /// One object: `{"holds","query","exchanges","checked","notDescribed","rules":[…],"changes":[…],"unchecked":[…]}`; rules with findings only.
    var json: [UInt8] {
        var json = JSONWriter(isIndented: console.isTerminal)
        json.object { json in
            json.boolean("holds", holds)
            json.string("query", title)
            json.integer("exchanges", run.count)
            json.integer("checked", run.checkedCount)
            json.integer("notDescribed", run.undescribedCount)
            json.array("rules") { json in
                for outcome in run.outcomes where outcome.count > 0 { CheckView.write(outcome, to: &json) }
            }
            json.integer("changed", run.changeCount)
            json.array("changes") { json in
                for change in run.changes {
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
                for note in run.unchecked {
                    json.object { json in
                        json.integer("exchange", note.id > 0 ? note.id : nil)
                        json.string("message", note.sentence)
                        json.integer("more", note.more)
                    }
                }
            }
        }
        json.newline()
        return json.take()
    }

    private static func write(_ outcome: CheckRun.Outcome, to json: inout JSONWriter) {
        json.object { json in
            json.string("rule", outcome.rule.id)
            json.string("title", outcome.rule.title)
            json.string("severity", outcome.rule.severity.rawValue)
            json.string("consequence", outcome.rule.consequence)
            json.integer("count", outcome.count)
            json.integer("exchanges", outcome.exchangeCount)
            json.array("findings") { json in
                for (row, finding) in outcome.shown {
                    json.object { json in
                        json.integer("exchange", row.id)
                        json.string("method", row.method)
                        json.string("url", row.url)
                        json.string("side", finding.side.rawValue)
                        json.string("pointer", finding.pointer)
                        json.string("message", finding.message)
                        json.string("consequence", finding.consequence)
                    }
                }
            }
        }
    }
}
