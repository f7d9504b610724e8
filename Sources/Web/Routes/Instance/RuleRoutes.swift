import Hummingbird
import Traffic

/// The rules of the running proxy: lists them with what they have done, and switches them on and off.
struct RuleRoutes {
    let rules: (any RuleControl)?
    /// The time by which a rule has ended.
    let clock: TimeSource

    /// What to switch: rules by name, or all.
    private struct Asked: Decodable {
        var names: [String]?
        var all: Bool?
        var on: Bool
    }

    /// Adds the API's addresses, and the twin of the page's place.
    func add(to router: Router<WebContext>) {
        for address in ["/api/v1/rules", "/rules.json"] {
            router.get(RouterPath(address)) { request, _ in
                let items = QueryItems(request.uri.query ?? "")
                let limit = try items.whole("limit", in: 0...Int64(RuleList.limit))
                return answer(try running(), limit: limit.map { Int($0) } ?? RuleList.limit)
            }
        }
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

    private func answer(_ rules: any RuleControl, limit: Int = RuleList.limit) -> Response {
        let list = rules.list
        let listed = list?.rules ?? []
        let (figures, ends, begins) = (list?.figures ?? [], list?.ends ?? [], list?.begins ?? [])
        let endings = list?.endings(now: Moment.microseconds(clock.date)) ?? []
        return WebAnswer.json { json in
            json.objects("rules", listed.indices.prefix(limit)) { at, json in
                Self.write(listed[at], figures[at], to: &json)
                json.string("since", Timestamp.text(microseconds: begins[at]))
                json.string("ends", ends[at].map { Timestamp.text(microseconds: $0) })
                json.string("ended", endings[at]?.rawValue)
            }
            json.integer("all", listed.count)
            json.integer("active", zip(listed, endings).count { rule, ending in !rule.isOff && ending == nil })
            json.integer("hits", figures.reduce(0) { $0 &+ $1.hits })
            json.strings("files", rules.files)
            json.strings("problems", rules.problems)
        }
    }

    /// Writes a rule with its counts.
    private static func write(_ rule: Rule, _ figures: RuleCounter.Figures, to json: inout JSONWriter) {
        json.string("name", rule.name)
        json.boolean("on", !rule.isOff)
        json.string("group", rule.group)
        json.string("when", rule.condition.text)
        json.strings("actions", rule.actions.map(\.word))
        json.string("effect", rule.effect)
        json.string("path", rule.place.path)
        json.integer("line", rule.place.line)
        json.integer("hits", figures.hits)
        json.string("lastHit", figures.lastHit.map { Timestamp.text(microseconds: $0) })
        json.integer("skipped", figures.skips)
        json.integer("unjudged", figures.unknowns)
        json.integer("failed", figures.faults)
        json.integer("shadowed", figures.shadowed)
    }
}
