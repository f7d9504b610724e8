import Archive
import Foundation
import Hummingbird
import Lenses
import Store
import Traffic

/// The analysis of all exchanges that a filter selects: statistics by endpoint, and the exchanges that break the rules of their API.
struct AnalysisRoutes {
    /// Findings of each rule that an answer tells: without a `limit` in the address, and at most.
    private static let findingsDefault: Int64 = 100
    private static let findingsLimit: Int64 = 1_000

    let store: StoreDoor
    /// The rules of the running proxy; `nil` when the store is only read.
    let rules: (any RuleControl)?
    /// The time between two lines on how far a check is.
    let progressInterval: Duration

    /// Adds the API's addresses, and the twin of the page's findings.
    func add(to router: Router<WebContext>) {
        router.get("/api/v1/stats") { request, context in try await statistics(request, context) }
        for address in ["/api/v1/check", "/findings.json"] {
            router.get(RouterPath(address)) { request, context in try await check(request, context) }
        }
    }

    /// Answers with what `inspect stats --json` prints.
    private func statistics(_ request: Request, _ context: WebContext) async throws -> Response {
        let filter = try Filter(await store.items(of: request), now: store.now)
        return try await store.answer(to: Asker(request, context)) { store in
            var statistics = TrafficStatistics()
            statistics.searchedInPart = try store.eachSummary(filter) { statistics.add($0) }
            return statistics.json
        } as: {
            WebAnswer.json(bytes: $0)
        }
    }

    /// An exchange that a filter selects was found.
    private struct Found: Error {}

    /// What the names of a check's rules begin with, up to the dash, in lower case.
    private static let areas = Set(RuleSelection.known.map { area(of: $0.id) })

    private static func area(of name: String) -> String { name.prefix { $0 != "-" }.lowercased() }

    /// Refuses `rule=` with a name that begins as those of a check's rules do, and is none of the running proxy's rules, where it selects no exchange at
    /// all: a check of nothing would hold.
    private func refuseOtherRules(_ items: QueryItems) async throws {
        let asked = items.filter { $0.name == "rule" }
        let names = asked.items.flatMap { $0.value.split(separator: ",") }.map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        let own = Set(rules?.list?.rules.map { $0.name.lowercased() } ?? [])
        let strange = names.first { Self.areas.contains(Self.area(of: $0)) && !own.contains($0.lowercased()) }
        guard let name = strange else { return }
        let filter = try Filter(asked, now: store.now)
        do { try await store.read { _ = try $0.eachSummary(filter) { _ in throw Found() } } } catch is Found { return }
        throw WebFailure(
            .badRequest,
            "rule=\(name) selects exchanges by a rule of the proxy, and none has it; rules of the check are named by check=\(name)."
        )
    }

    /// Answers with what `inspect check --json` prints, of the rules that `check=WO-3,VM` names, since `rule=` is the filter's; with `progress=true`, after lines that say how far the check is and what it has found so far.
    private func check(_ request: Request, _ context: WebContext) async throws -> Response {
        let items = try await store.items(of: request)
        let own: Set = ["check", "limit", "strict", "progress"]
        let filter = try Filter(items.filter { !own.contains($0.name) && $0.name != "token" }, now: store.now)
        let rules = RuleSelection(items.items.filter { $0.name == "check" }.map(\.value))
        if let problem = rules.problem { throw WebFailure(.badRequest, "check: \(problem).") }
        try await refuseOtherRules(items)
        let limit = try items.whole("limit", in: 0...Self.findingsLimit) ?? Self.findingsDefault
        let answer = CheckAnswer(
            filter: filter,
            rules: rules,
            shownLimit: Int(limit),
            isStrict: try items.boolean("strict", unless: false),
            interval: progressInterval,
            clock: store.clock
        )
        let asker = try await Asker(request, context)
        guard try items.boolean("progress", unless: false) else {
            return try await store.answer(to: asker) {
                try answer.bytes(in: $0)
            } as: {
                WebAnswer.json(bytes: $0)
            }
        }
        return Response(
            status: .ok,
            headers: [.contentType: "application/x-ndjson", .connection: "close"],
            body: StoreStream(store, answer.write).body(for: asker)
        )
    }
}

extension QueryItems {
    /// The value of a pair that is `true` or `false`.
    ///
    /// - Throws: `FilterError` naming the key.
    func boolean(_ name: String, unless missing: Bool) throws -> Bool {
        guard let text = first(name) else { return missing }
        guard text == "true" || text == "false" else { throw FilterError("\(name)=\(text): expected true or false") }
        return text == "true"
    }

    /// The value of a pair that is a whole number; `nil` where there is no such pair.
    ///
    /// - Throws: `FilterError` naming the key and the range.
    func whole(_ name: String, in range: ClosedRange<Int64>) throws -> Int64? {
        guard let item = items.first(where: { $0.name == name }) else { return nil }
        return try ListingQuery.whole(item, in: range)
    }
}
