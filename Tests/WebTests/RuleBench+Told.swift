import Store
import Traffic

@testable import Web

extension RuleBench {
    /// Makes a rule of every exchange, and tells of any text and of any rules what the page's document says of a dry run.
    ///
    /// A text with the word `wrong` has a mistake.
    static let told = RuleBench { id, form, _ in
        "# \(form.rawValue) of exchange \(id)\nrules: []\n"
    } attempt: { trial, store in
        let (names, isWrong): ([String], Bool) =
            switch trial.tried {
            case .yaml(let text): (["typed"], text.contains("wrong"))
            case .rules(let rules): (rules.map(\.name), false)
            }
        let ids = try store.ids(trial.filter)
        var json = JSONWriter()
        json.object { json in
            for (kind, mistakes) in [("problems", isWrong ? 1 : 0), ("warnings", 1)] {
                json.objects(kind, 0..<mistakes) { line, json in
                    json.integer("line", line + 1)
                    json.integer("column", 1)
                    json.string("sentence", "it is odd")
                }
            }
            if !isWrong { write(names, ids, to: &json) }
        }
        return json.take()
    }

    private static func write(_ names: [String], _ ids: [ExchangeID], to json: inout JSONWriter) {
        for figure in ["of", "looked", "touched"] { json.integer(figure, ids.count) }
        json.objects("rules", names) { name, json in
            json.string("name", name)
            json.string("path", "rules.yaml")
            json.integer("line", 2)
            json.boolean("on", true)
            for figure in ["hits", "shadowed", "skipped", "failed"] { json.integer(figure, ids.count) }
        }
        json.objects("exchanges", ids.prefix(Trial.rowLimit)) { id, json in
            json.object("exchange") { $0.integer("id", id) }
            json.string("changes", "")
            json.objects("uses", [String]()) { _, _ in }
            json.boolean("mayDiffer", false)
            json.string("untried", nil)
        }
    }
}
