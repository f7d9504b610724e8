import NIOCore
import Testing
import Traffic

@testable import Store

@Suite("The record of rules in the store", .timeLimit(.minutes(15)))
struct StoredRulesTests {
    /// Held by the suite, so that the directory outlives the test.
    private let home: TemporaryStore

    init() throws { home = try TemporaryStore() }

    private static func use(_ rule: String, _ action: String = "send", _ what: String = "host") -> RuleUse {
        RuleUse(rule: rule, phase: .requestHead, action: action, what: what)
    }

    private static func plain(_ uses: [RuleUse], outcome: Outcome = .completed) -> Exchange {
        var exchange = Exchange.plain(outcome: outcome)
        exchange.rules = uses
        return exchange
    }

    private static func counts(_ store: TrafficStore, _ query: String = "") throws -> [String: Int] {
        let filter = try FilterParser.parse(query, now: 0)
        let facets = try store.list(ListingQuery(filter: filter)).facets
        let values = facets.first { $0.facet == .rule }?.values ?? []
        return Dictionary(uniqueKeysWithValues: values.map { ($0.value, $0.count) })
    }

    @Test("An exchange counts under each of its rules, by rows and by blocks alike", arguments: [false, true])
    func counts(isIndexed: Bool) async throws {
        let store = try home.open()
        await store.record([
            Self.plain([Self.use("staging"), Self.use("beta app", "tag", "slow"), Self.use("staging", "stop", "")]),
            Self.plain([]), Self.plain([Self.use("beta app", "tag", "slow")]), Self.plain([Self.use("Staging")]),
        ])
        if isIndexed { try store.index() }
        #expect(try Self.counts(store) == ["staging": 1, "Staging": 1, "beta app": 2, "none": 1])
        // The other values of the facet keep their counts.
        #expect(try Self.counts(store, "rule:none") == ["staging": 1, "Staging": 1, "beta app": 2, "none": 1])
        #expect(try Self.counts(store, "is:modified") == ["staging": 1, "Staging": 1, "beta app": 1, "none": 0])
        let found = [
            ("rule:staging", [1, 4]), ("rule:\"beta app\"", [1, 3]), ("rule:none", [2]), ("-rule:none", [1, 3, 4]),
            ("rule:st*", [1, 4]), ("is:modified", [1, 4]), ("-is:modified", [2, 3]),
            ("is:modified rule:\"beta app\"", [1]), ("is:modified or rule:none", [1, 2, 4]),
        ]
        for (query, ids) in found {
            #expect(try Set(store.ids(FilterParser.parse(query, now: 0))) == Set(ids.map(ExchangeID.init)), "\(query)")
        }
        try store.close()
    }

    @Test("A name with a comma is one name", arguments: [false, true])
    func commas(isIndexed: Bool) async throws {
        let store = try home.open()
        let name = "no csp, dev build"
        await store.record([Self.plain([Self.use(name), Self.use("staging")]), Self.plain([Self.use("no csp")])])
        if isIndexed { try store.index() }
        #expect(try Self.counts(store) == [name: 1, "staging": 1, "no csp": 1])
        for (query, ids) in [("rule:\"\(name)\"", [1]), ("rule:\"no csp\"", [2]), ("rule:staging,\"no csp\"", [1, 2])] {
            #expect(try Set(store.ids(FilterParser.parse(query, now: 0))) == Set(ids.map(ExchangeID.init)), "\(query)")
        }
        try store.close()
    }

    @Test("A line has the rules of its row, open or ended, and is told to listeners so")
    func lines() async throws {
        let store = try home.open()
        var changes = store.changes().makeAsyncIterator()
        let uses = (1...StoredRules.useLimit + 5).map { Self.use("rule \($0)") }
        await store.record([
            .opened(1, Self.plain([Self.use("staging")], outcome: .pending)),
            .ended(2, Self.plain(uses), request: .init(), response: .init()),
        ])
        let lines = try store.summaries(after: 0, limit: 9)
        #expect(lines.map(\.rules.count) == [1, StoredRules.useLimit] && lines.allSatisfy(\.isModified))
        guard case .changed(let told) = await changes.next() else { return #expect(Bool(false), "no change came") }
        #expect(told.sorted { $0.id < $1.id } == lines)
        try store.close()
    }

    @Test("Of more uses than are kept the first are, and the exchange says so")
    func manyUses() async throws {
        let store = try home.open()
        let many = (1...StoredRules.useLimit + 5).map { Self.use("rule \($0)") }
        // Every byte of a text takes six in the list.
        let long = (1...5).map { Self.use("\($0)", "send", String(repeating: "\u{1}", count: 1 << 16)) }
        await store.record([Self.plain(many), Self.plain(long), Self.plain(Array(many.prefix(StoredRules.useLimit)))])
        let read = try (1...3).map { try #require(try store.exchange($0)) }
        #expect(read[0].rules == Array(many.prefix(StoredRules.useLimit)))
        #expect(read[0].warnings == ["Rules did 1005 things to it, of which 1000 are kept."])
        #expect(read[1].rules.map(\.rule) == long.map(\.rule) && read[1].warnings == [])
        #expect(read[1].rules.allSatisfy { $0.what == String(repeating: "\u{1}", count: 1 << 10) + "…" })
        #expect(read[2].rules.count == StoredRules.useLimit && read[2].warnings == [])
        try store.close()
    }

    @Test("Of many uses those are kept that changed the exchange, in their place")
    func changes() {
        let tags = (1...StoredRules.useLimit + 5).map { Self.use("rule \($0)", "tag") }
        let kept = StoredRules.kept(of: tags + [Self.use("token", "request", "Authorization")])
        #expect(kept.count == StoredRules.useLimit && kept.last?.rule == "token")
        #expect(Array(kept.dropLast()) == Array(tags.prefix(StoredRules.useLimit - 1)))
    }

    @Test("Where no rule did anything nothing is written")
    func none() {
        #expect(StoredRules.text(of: []) == nil)
        #expect(StoredRules.warnings(of: [], kept: 0) == [])
        let text = StoredRules.text(of: [Self.use("a")])
        #expect(text == #"[{"action":"send","phase":"request-head","rule":"a","what":"host"}]"#)
    }

    @Test("A list that cannot be read is none, and the exchange says so", arguments: StoreDamage.rulesUnreadable)
    func unreadable(damage: StoreDamage) async throws {
        let writer = try home.open()
        await writer.record([Self.plain([Self.use("staging")]), Self.plain([Self.use("staging")])])
        try writer.close()
        try damage.happen(to: home)
        try StoreDamage.facetBlocksGone.happen(to: home)
        let store = try home.open()
        let exchange = try #require(try store.exchange(2))
        #expect(exchange.rules == [] && exchange.warnings == [StoredRules.unreadable])
        #expect(try Self.counts(store) == ["staging": 1, "none": 1])
        #expect(try store.summaries(of: [2]).first?.isModified == false)
        try store.index()
        #expect(try Self.counts(store) == ["staging": 1, "none": 1])
        try store.close()
    }

    @Test("What is deleted leaves nothing of its rules")
    func deleted() async throws {
        let store = try home.open()
        await store.record([Self.plain([Self.use("staging")]), Self.plain([])])
        try store.index()
        #expect(try store.delete([1]).deleted == 1)
        #expect(try Self.counts(store) == ["none": 1])
        #expect(try store.check().problems == [])
        try store.close()
    }
}
