import NIOCore
import Support
import Testing
import Traffic

@testable import Store

@Suite("Blocks and rows answer as the filter means", .timeLimit(.minutes(15)))
struct ListingPropertyTests {
    /// Held by the suite, so that the directory outlives the test.
    private let home: TemporaryStore

    init() throws { home = try TemporaryStore() }

    private static let methods = ["GET", "get", "POST", "HEAD", "OPTIONS", ""]
    private static let hosts = ["a.test", "b.a.test", "c.test", "none.test", "", "192.0.2.1"]
    private static let codes: [Int?] = [200, 204, 301, 404, 404, 500, 503, nil]
    private static let types = ["application/json", "text/html", "image/png", nil]
    private static let versions: [HTTPVersion?] = [.http10, .http11, .http11, .http2, nil]
    private static let starts: Range<Int64> = 1000..<9_000_000
    /// When the last exchange of a store starts, roughly: later than some of the times that filters ask for, and earlier than others.
    private static let lastStart: Int64 = 6_700_000

    private static let targets = ["/v2/a?x=1", "/v2/b", "/", "/items/7?q=red%20fox", "/v2/Straße"]
    private static let bodies = [
        "", #"{"count": 3, "name": "Fox"}"#, #"{"items": [{"id": 1}, {"id": 2}]}"#, "a red FOX ran", "nothing here",
        "{broken", "größe STRASSE fox", #"a gr\u00f6\u00DFe \\u00f6"#,
        #"{"count": 1e1, "na\u006De": "red f\u006fX", "kind": "\u212Aelvin"}"#,
        #"{"name": "a red fox", "url": "https:\/\/a.test\/x", "count": "ten"}"#,
    ]
    /// A text too long for a search block.
    private static let longBody = Array((String(repeating: "long text ", count: 7_000) + "Xenon").utf8)
    /// Terms that some of the exchanges meet; each kind of test is among them.
    private static let terms = [
        "code:5xx", "-code:200,failed", "method:post", "-host:*.test", "type:json", "type:image,html", "version:2",
        "outcome:failed", "outcome:cancelled",
        "size:>20", "size:0", "reqsize:>=10", "time:>1ms", "time:<=1234us", "id:>50", "id:7..2000", "id:>4080",
        "id:3900..4100", "port:443", "port:>500",
        "path:/v2", "url:a.test", "query:\"red fox\"", "path:*/b", "path:/[ab]$/", "header:content-type",
        "resheader:content-type=json",
        "header:/^host:\\sa/", "body:fox", "resbody:/r.d\\sfox/", "reqbody:count", "json:$.count>2", "json:$..id=2",
        "json:$.name=fox", "json:$.name=*FOX", "-json:$.name=/f.x/", "json:$..name", "json:$.count=10",
        "json:$.count=*10*",
        "json:$.name=\"a red fox\"", "-json:$.name=fox,$.kind=kelvin", "json:$.kind=kelvin",
        "json:$.url=https://a.test/x", "json:$.absent",
        "message:hello", "message:/hel+o/", "header:host=a.test", "-header:content-type", "body:/fo[xy]/", "xenon",
        "resbody:xenon", "ox", "url:https://*.test/v2/*", "url:\"?\"", "url:\"a?x=1\"", "url:\"test/\"", "url:\"7?q\"",
        "url:/b\\.a.*items/", "query:/red.fox/", "query:x",
        "path:STRASSE",
        "path:stra*", "-path:/v2/", "client:x", "port:443,80", "is:truncated,replay", "/(?-i)FOX/", "header:x-trailing",
        "resheader:x-trailing=\"late fox\"", "/\\bfox\\b/", "\"a red fox ran\"",
        "is:websocket", "is:truncated", "is:replay", "fox", "\"red fox\"", "straße", #"gr\u00F6"#, #"-body:\u00f6"#,
        "since:2026-01-01",
        "before:2026-01-01", "tag:slow", "-tag:slow,bug", "tag:b*", "tag:none", "is:favourite", "note:fox",
        "-note:/re?d/",
        "session:first", "-session:two", "client:open", "client:\"What's Open\"", "-client:none", "client:br*",
        "client:/^what.*s$/", "client:SAFARI,fox", "-client:\"fox, \\\"red\\\"\"", "lens:json,whatsopen", "lens:none",
        "-lens:cloudkit", "rule:staging", "-rule:Staging,beta", "rule:b*", "rule:none", "-rule:/a/", "is:modified",
        "-is:modified", "is:modified,replay,truncated",
        "lens:cloud*", "lens:/^w/", "process:curl", "-process:none", "process:\"Web Content\",py", "process:/^c/",
    ]
    private static let processes = ["curl", "python3", "Web Content", nil]
    private static let rules: [[RuleUse]] = [
        [], [], [use("staging", "send", "host")],
        [use("staging", "send", ""), use("beta app", "request", "User-Agent")],
        [use("beta app", "tag", "slow"), use("staging", "stop", "")],
    ]
    private static let tags = ["slow", "bug", "big", "v2.1"]
    private static let notes = ["the fox again", "Red herring", ""]

    private static func use(_ rule: String, _ action: String, _ what: String) -> RuleUse {
        RuleUse(rule: rule, phase: .requestHead, action: action, what: what)
    }

    /// What the exchanges of a store are like.
    private struct Traits {
        /// Whether there are more hosts than are listed at 0.
        var hasManyHosts: Bool
        /// Microseconds from one start to the next, roughly.
        var pace: Int64
    }

    /// A random exchange with its bodies.
    private static func ended(
        _ generator: inout SeededGenerator,
        _ token: CaptureToken,
        _ traits: Traits,
        hasMessage: Bool = false
    ) -> ExchangeEvent {
        var exchange = exchange(&generator, Int(token), traits)
        if hasMessage { exchange.messages.add(.response) }
        func body() -> [UInt8] { Array((bodies.randomElement(using: &generator) ?? "").utf8) }
        let (request, answer) = (body(), exchange.response == nil ? [] : body())
        let response = token % 151 == 0 && exchange.response != nil ? longBody : answer
        exchange.request.body = .measured(request, length: token % 97 == 0 ? request.count + 5 : nil)
        if let type = exchange.mediaType {
            exchange.response?.head = ByteBuffer(string: "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\n\r\n")
        }
        exchange.response?.body = .measured(response)
        if token % 13 == 0 { exchange.response?.trailers = ByteBuffer(string: "X-Trailing: Late FOX\r\n") }
        return .ended(token, exchange, request: ByteBuffer(bytes: request), response: ByteBuffer(bytes: response))
    }

    private static func condition(_ generator: inout SeededGenerator, depth: Int = 0) throws -> FilterCondition {
        let kind = Int.random(in: 0..<(depth > 2 ? 1 : 4), using: &generator)
        func parts() throws -> [FilterCondition] {
            try (0..<2).map { _ in try condition(&generator, depth: depth + 1) }
        }
        switch kind {
        case 1: return .negation(try condition(&generator, depth: depth + 1))
        case 2: return .allOf(try parts())
        case 3: return .anyOf(try parts())
        default:
            let filter = try FilterParser.parse(terms.randomElement(using: &generator) ?? "", now: 0)
            // Within a group, a facet's term is a condition like any other.
            for facet in Facet.all {
                if let wanted = filter.selections[facet.name] { return .test(.facet(facet, wanted)) }
            }
            if let since = filter.since { return .test(.since(since - 1_767_225_600_000_000 + 4_000_000)) }
            if let before = filter.before { return .test(.before(before - 1_767_225_600_000_000 + 4_000_000)) }
            return filter.conditions.first ?? .all([])
        }
    }

    /// An exchange as the store's readers give it, for the meaning of a filter.
    private final class Looked: FilterSubject {
        let summary: ExchangeSummary
        private let store: TrafficStore
        private var exchange: Exchange?

        init(_ summary: ExchangeSummary, in store: TrafficStore) { (self.summary, self.store) = (summary, store) }

        func message(_ side: MessageSide) throws -> Message? {
            if exchange == nil { exchange = try store.exchange(summary.id) }
            return side == .request ? exchange?.request : exchange?.response
        }

        func body(_ side: MessageSide, offset: Int64, limitBytes: Int) throws -> [UInt8] {
            try store.body(summary.id, side, offset: offset, limitBytes: limitBytes)
        }

        func messages(after number: Int64) throws -> [StreamMessage] {
            try store.messages(of: summary.id, after: number, limit: 5)
        }
    }

    private static func exchange(_ generator: inout SeededGenerator, _ position: Int, _ traits: Traits) -> Exchange {
        let outcome =
            [Outcome.completed, .completed, .completed, .failed, .cancelled, .tunnelled]
            .randomElement(using: &generator) ?? .failed
        let host =
            traits.hasManyHosts
            ? "h\(Int.random(in: 0..<3000, using: &generator)).test" : hosts.randomElement(using: &generator)
        let process = processes[position % processes.count].map { LocalProcess(id: 7, name: $0) }
        var exchange = Exchange.plain(
            methods.randomElement(using: &generator) ?? "",
            scheme: ([.http, .https, .ws, nil] as [Scheme?]).randomElement(using: &generator) ?? nil,
            host: host ?? "",
            target: targets.randomElement(using: &generator) ?? "/",
            code: codes.randomElement(using: &generator) ?? nil,
            // Starts follow the ids roughly, as they do in life.
            started: Int64(position) * traits.pace + Int64.random(in: 0..<5 * traits.pace, using: &generator),
            outcome: outcome,
            mediaType: types.randomElement(using: &generator) ?? nil,
            version: versions.randomElement(using: &generator) ?? nil,
            client: Peer(token: UInt64(position), address: "127.0.0.1:50000", tls: nil, process: process)
        )
        exchange.rules = rules[position % rules.count]
        return exchange
    }

    private static func filter(_ generator: inout SeededGenerator) throws -> Filter {
        let words: [(Facet, [String])] = [
            (.code, ["200", "4xx", "404", "pending", "failed", "cancelled", "tunnelled", "none", ">=500", "418"]),
            (.method, ["GET", "post", "PUT", "none"]), (.scheme, ["https", "http", "none", "wss"]),
            (.host, ["a.test", "*.test", "h7.test", "c.test", "none", "nowhere.test"]),
            (.type, ["application/json", "image/png", "none", "text/css"]), (.version, ["1.1", "2", "none"]),
            (.outcome, ["completed", "failed", "cancelled", "pending", "tunnelled"]),
            (.tag, ["slow", "bug", "b*", "none", "unused"]),
            (.client, ["open", "what's open", "What's Open iOS", "none", "*life", "nobody"]),
            (.lens, ["json", "CloudKit", "cloud*", "none", "ckan"]),
            (.rule, ["staging", "Beta App", "*a*", "none", "unused"]),
            (.process, ["curl", "py", "Web Content", "none", "*3", "nobody"]),
        ]
        var filter = Filter()
        for (facet, values) in words where Int.random(in: 0..<3, using: &generator) == 0 {
            for _ in 0..<Int.random(in: 1...2, using: &generator) {
                filter.select(
                    try FacetSelector(values.randomElement(using: &generator) ?? "none", in: facet),
                    in: facet
                )
            }
        }
        if Bool.random(using: &generator) { filter.since = .random(in: starts, using: &generator) }
        if Bool.random(using: &generator) { filter.before = .random(in: starts, using: &generator) }
        if Int.random(in: 0..<3, using: &generator) > 0 { filter.require(try condition(&generator)) }
        return filter
    }

    private static let hello = StreamMessage(
        side: .response,
        time: 1,
        kind: .event,
        wireBytes: 5,
        size: 5,
        payload: ByteBuffer(string: "Hello")
    )

    /// The listing by the meaning of the filter alone: every row is looked at.
    private static func meaning(
        _ query: ListingQuery,
        of all: [ExchangeSummary],
        in store: TrafficStore,
        _ looked: inout [ExchangeID: Looked]
    ) throws -> Listing {
        var known: [Filter: [ExchangeID: Bool]] = [:]
        func selects(_ filter: Filter, _ exchange: ExchangeSummary) throws -> Bool {
            if let known = known[filter]?[exchange.id] { return known }
            let subject = looked[exchange.id] ?? Looked(exchange, in: store)
            looked[exchange.id] = subject
            let answer = try filter.matches(subject)
            known[filter, default: [:]][exchange.id] = answer
            return answer
        }
        let matching = try all.filter { try selects(query.filter, $0) }.sorted { $0.id > $1.id }
        let rest =
            query.newer.map { newer in matching.reversed().filter { $0.id > newer } }
            ?? matching.filter { $0.id < query.after ?? .max }
        let page = Array(rest.prefix(query.limit))
        let facets = try Facet.all.map { facet in
            // The filter without this facet says where the facet counts.
            var others = Filter()
            others.since = query.filter.since
            others.before = query.filter.before
            for other in Facet.all where other != facet {
                for selector in query.filter.selections[other.name] ?? [] { others.select(selector, in: other) }
            }
            for condition in query.filter.conditions { others.require(.allOf([condition])) }
            var counts: [String: Int] = [:]
            for exchange in all {
                let count = try selects(others, exchange) ? 1 : 0
                for single in facet.singles(facet.value(exchange)) { counts[single, default: 0] += count }
            }
            let isSmall = counts.count <= 100
            for selector in query.filter.selections[facet.name] ?? []
            where !counts.keys.contains(where: selector.matches) {
                if let value = selector.namedValue(in: facet) { counts[value] = 0 }
            }
            let values = counts.map {
                FacetCount(value: $0.key, count: $0.value, selected: query.filter.selects($0.key, in: facet))
            }
            return FacetListing(
                facet: facet,
                values: facet.ordered(values.filter { isSmall || $0.count > 0 || $0.selected })
            )
        }
        return Listing(
            total: all.count,
            matched: matching.count,
            next: rest.count > query.limit ? page.last?.id : nil,
            facets: facets,
            exchanges: query.newer == nil ? page : page.reversed()
        )
    }

    /// Marks some exchanges and deletes others; the ids that are gone.
    private static func edit(_ store: TrafficStore, _ generator: inout SeededGenerator) throws -> Set<ExchangeID> {
        let all = try store.summaries(after: 0, limit: .max)
        func some(_ share: Int) -> [ExchangeID] {
            all.map(\.id).filter { _ in Int.random(in: 0..<share, using: &generator) == 0 }
        }
        for _ in 0..<3 {
            var change = MarkChange()
            change.added = tags.filter { _ in Bool.random(using: &generator) }
            change.removed = tags.filter { _ in Int.random(in: 0..<4, using: &generator) == 0 }
            change.favourite = [true, false, nil].randomElement(using: &generator) ?? nil
            change.note = notes.randomElement(using: &generator)
            let ids = some(60)
            #expect(try store.mark(ids + [1 << 40], change) == ids.count)
        }
        let stretch = all.filter { $0.id % 4096 > 4000 }.map(\.id)
        let deleted = some(20) + (Int.random(in: 0..<3, using: &generator) == 0 ? stretch : [])
        let isOpen = Set(all.filter { $0.outcome == .pending }.map(\.id))
        let gone = Set(deleted).subtracting(isOpen)
        #expect(try store.delete(deleted).deleted == gone.count)
        return gone
    }

    /// A store across the end of a block, which has filters, and a smaller one with more hosts than are listed at 0.
    @Test("Random stores, random filters, at every stage of indexing", arguments: [(1, 300), (2, 150)])
    func agreement(seed: UInt64, most: Int) async throws {
        try await agree(seed: seed, most: most, questions: 1, isAcross: seed == 1)
    }

    /// Fills a store in nine rounds with at most so many exchanges each, and after each asks so many questions of it and of the meaning.
    ///
    /// Numbers begin at 1, or so that three fifths of the exchanges come before the end of the first block and the others behind it.
    func agree(seed: UInt64, most: Int, questions: Int, isAcross: Bool = false) async throws {
        var generator = SeededGenerator(seed: seed)
        let store = try home.open(classifier: SampleClassifier())
        let sizes = (0..<9).map { _ in Int.random(in: 1...most, using: &generator) }
        let count = sizes.reduce(0, +)
        let traits = Traits(hasManyHosts: seed % 2 == 0, pace: max(1, Self.lastStart / Int64(count)))
        let first = isAcross ? max(2, FacetBlock.capacity - Int64(count * 3 / 5)) : 1
        if first > 1 {
            let before = ImportedExchange(Self.exchange(&generator, 0, traits), number: first - 1)
            try await store.record(numbered: [before])
        }
        var open: [CaptureToken] = []
        var token: CaptureToken = 0
        for (round, size) in sizes.enumerated() {
            var events: [ExchangeEvent] = []
            for _ in 0..<size {
                token += 1
                if Int.random(in: 0..<100, using: &generator) == 0 {
                    var pending = Self.exchange(&generator, Int(token), traits)
                    (pending.outcome, pending.failure, pending.timeline.duration) = (.pending, nil, nil)
                    events.append(.opened(token, pending))
                    events.append(.message(token, Self.hello))
                    open.append(token)
                } else {
                    events.append(Self.ended(&generator, token, traits))
                }
            }
            // Some that were open end, also in blocks that are made already.
            open.shuffle(using: &generator)
            for _ in 0..<Int.random(in: 0...(open.count / 2), using: &generator) {
                guard let late = open.popLast() else { break }
                let few = Traits(hasManyHosts: false, pace: traits.pace)
                events.append(Self.ended(&generator, late, few, hasMessage: true))
            }
            if round % 4 == 2 { try store.beginSession(["first", "two", "first again"][round / 4], now: 1) }
            await store.record(events)
            if round % 2 == 1 {
                let gone = try Self.edit(store, &generator)
                #expect(try store.summaries(of: gone.sorted()).isEmpty)
            }
            if round % 3 == 1 { try store.index() }
            if isAcross, round == 7 { #expect(try home.count(.facetBlock) == 2 && home.count(.searchGroup) == 1) }
            #expect(try store.check().problems == [])
            let reader = round % 4 == 3 ? try home.open(.reading) : store
            let all = try reader.summaries(after: 0, limit: .max)
            #expect(try reader.total() == all.count)
            for session in try reader.sessions() {
                #expect(session.count == all.count { $0.session == session.name }, "seed \(seed), round \(round)")
            }
            // Nothing is written while this round asks.
            var looked: [ExchangeID: Looked] = [:]
            for _ in 0..<questions {
                var query = ListingQuery(
                    filter: try Self.filter(&generator),
                    limit: Int.random(in: 0...50, using: &generator)
                )
                let number = first - 1 + Int64.random(in: 1...Int64(token + 5), using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: query.after = number
                case 1: query.newer = number
                default: break
                }
                let expected = try Self.meaning(query, of: all, in: reader, &looked)
                let listing = try reader.list(query)
                let isWhole = Bool.random(using: &generator)
                try OverviewTests.expect(
                    reader.overview(
                        query.filter,
                        slots: .random(in: 1...1000, using: &generator),
                        isStripWhole: isWhole
                    ),
                    of: all,
                    query.filter,
                    isStripWhole: isWhole,
                    selected: { try reader.selected(by: $0, of: all) }
                )
                #expect(try Set(reader.ids(query.filter)) == reader.selected(by: query.filter, of: all), "seed \(seed)")
                let place = "seed \(seed), round \(round): \(query.filter.text)"
                #expect(listing.total == expected.total && listing.matched == expected.matched, "\(place)")
                #expect(listing.exchanges.map(\.id) == expected.exchanges.map(\.id), "\(place)")
                #expect(listing.exchanges == expected.exchanges, "\(place)")
                #expect(listing.next == expected.next, "\(place)")
                let page = try reader.page(query)
                #expect(page.exchanges == expected.exchanges && page.next == expected.next, "\(place)")
                for (left, right) in zip(listing.facets, expected.facets) { #expect(left == right, "\(place)") }
            }
        }
    }
}
