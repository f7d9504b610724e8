import Hummingbird
import Traffic

/// The rules of the running proxy: lists them with what they have done, and switches them on and off.
struct RuleRoutes {
    let rules: (any RuleControl)?

    /// What to switch: rules by name, or all.
    private struct Asked: Decodable {
        var names: [String]?
        var all: Bool?
        var on: Bool
    }

    /// Adds the API's addresses.
    func add(to router: Router<WebContext>) {
        router.get("/api/v1/rules") { _, _ in answer(try running()) }
        router.post("/api/v1/rules") { request, context in
            let asked = try await Asker(request, context).json(Asked.self)
            let rules = try running()
            let isAll = asked.all == true
            guard isAll == (asked.names ?? []).isEmpty else {
                throw WebFailure(.badRequest, "Name the rules to switch, or say that all are meant.")
            }
            do throws(UnknownRules) {
                try rules.turn(isAll ? nil : asked.names, isOff: !asked.on)
            } catch {
                throw WebFailure(.notFound, "\(error).")
            }
            return answer(rules)
        }
    }

    private func running() throws -> any RuleControl {
        guard let rules else {
            throw WebFailure(.conflict, "No proxy is running on this store, so no rules hold.")
        }
        return rules
    }

    private func answer(_ rules: any RuleControl) -> Response {
        let list = rules.list
        let (figures, ends) = (list?.figures ?? [], list?.ends ?? [])
        return WebAnswer.json { json in
            json.objects("rules", zip(list?.rules ?? [], zip(figures, ends))) { counted, json in
                let (rule, (figures, end)) = counted
                json.string("name", rule.name)
                json.boolean("on", !rule.isOff)
                json.string("group", rule.group)
                json.string("when", rule.condition.text)
                json.strings("actions", rule.actions.map(\.word))
                json.string("path", rule.place.path)
                json.integer("line", rule.place.line)
                json.integer("hits", figures.hits)
                json.string("lastHit", figures.lastHit.map { Timestamp.text(microseconds: $0) })
                json.integer("skipped", figures.skips)
                json.integer("shadowed", figures.shadowed)
                json.string("ends", end.map { Timestamp.text(microseconds: $0) })
            }
            json.strings("files", rules.files)
            json.strings("problems", rules.problems)
        }
    }
}
