import NIOCore
import Store
import Traffic

/// A store as an agent sees it in one call: with its secrets masked, unless the agent may see them.
///
/// Where secrets are masked, texts are matched after masking: no row, count or refusal depends on a masked character. That takes reading each
/// exchange that the plain part of a filter selects, so a filter that selects too many is refused. A secret that one exchange names may stand without
/// a name in another, so all are read before the first is matched or shown. Statistics count any number of exchanges. They learn secrets from the
/// newest as far as the limit reaches; a body too large for the rest of the limit is skipped, and older bodies are still read.
struct AgentStore: Sendable {
    /// What may be read for one answer.
    struct Bounds: Sendable {
        /// Exchanges whose texts are matched.
        var exchanges = 5_000
        /// Bytes of their bodies, as sent; bodies that are never text do not count.
        var bodyBytes: Int64 = 128 << 20
        /// How long an answer may take.
        var time = Duration.seconds(30)
    }

    /// What a filter selects.
    private enum Selected {
        /// What the store itself selects: no test of the filter looks at what may be masked.
        case recorded
        /// These exchanges, masked and oldest first, and how many others were searched only in part.
        case masked([ExchangeSummary], searchedInPart: Int)
    }

    /// The last message of a stream that is searched for secrets before it is shown or matched.
    private static let learnedMessages: Int64 = 5_000
    /// Messages that are read at a time.
    private static let pageMessages = 100

    private let store: TrafficStore
    private let redactor: SharedRedactor?
    private let bounds: Bounds
    private let now: @Sendable () -> ContinuousClock.Instant
    private let deadline: ContinuousClock.Instant

    /// - Parameters:
    ///   - store: what was recorded.
    ///   - redactor: masks secrets; `nil` where they are shown.
    ///   - bounds: what one answer may take.
    ///   - now: the time.
    init(
        _ store: TrafficStore,
        redactor: SharedRedactor?,
        bounds: Bounds,
        now: @escaping @Sendable () -> ContinuousClock.Instant
    ) {
        (self.store, self.redactor, self.bounds, self.now) = (store, redactor, bounds, now)
        deadline = now() + bounds.time
    }

    // MARK: one exchange

    /// An exchange; `nil` where there is none of this number.
    ///
    /// - Throws: `StoreError`.
    func exchange(_ id: ExchangeID) throws -> ShownExchange? {
        try learn([id])
        return try learned(id)
    }

    /// An exchange whose secrets are known.
    ///
    /// - Throws: `StoreError`, `InputError` where it takes too long.
    func learned(_ id: ExchangeID) throws -> ShownExchange? {
        try checkTime()
        guard let record = try store.record(id) else { return nil }
        let masked = try redactor?.masked(record, bodiesIn: store) ?? (record: record, bodies: [:])
        return ShownExchange(masked.record, bodies: masked.bodies, in: store, check: checkTime) { message in
            redactor?.masked(message) ?? message
        }
    }

    /// Learns the secrets of all exchanges that an answer is about.
    ///
    /// - Throws: `StoreError`, `InputError` where it takes too long.
    func learn(_ ids: some Sequence<ExchangeID>) throws {
        guard let redactor else { return }
        for id in ids {
            try checkTime()
            guard let record = try store.record(id) else { continue }
            try redactor.learn(record, bodiesIn: store) { id, number in
                guard number < AgentStore.learnedMessages else { return [] }
                try checkTime()
                return try store.messages(of: id, after: number, limit: AgentStore.pageMessages)
            }
        }
    }

    /// An exchange with the source of its bodies, as a comparison reads it.
    ///
    /// - Throws: `StoreError`, and `InputError` where there is none of this number.
    func comparable(_ id: ExchangeID) throws -> (record: ExchangeRecord, source: ArchiveSource) {
        guard let exchange = try exchange(id) else { throw InputError("there is no exchange \(id) in the store") }
        return (exchange.record, exchange.source)
    }

    /// Masks the target and the words of a row by themselves; a secret that only a body names is not known here.
    private func line(_ summary: ExchangeSummary) throws -> ExchangeSummary {
        guard let redactor else { return summary }
        var exchange = Exchange(
            timeline: Timeline(started: summary.started),
            method: summary.method,
            scheme: summary.scheme,
            host: summary.host,
            port: summary.port,
            target: summary.target,
            request: Message(head: ByteBuffer()),
            client: Peer(token: 0, address: "", tls: nil),
            outcome: summary.outcome
        )
        (exchange.id, exchange.failure) = (summary.id, summary.failure)
        return try redactor.masked(ExchangeRecord(exchange: exchange, summary: summary), bodiesIn: nil).record.summary
    }

    // MARK: several

    /// The exchanges that a filter selects: a page of them, newest first, and the counts.
    ///
    /// Where texts are matched, the categories count the selected exchanges only.
    ///
    /// - Throws: `StoreError`, and `InputError` where it would take too much.
    func list(_ query: ListingQuery) throws -> Listing {
        switch try selected(by: query.filter) {
        case .recorded:
            var listing = try store.list(query)
            try learn(listing.exchanges.map(\.id))
            listing.exchanges = try listing.exchanges.map(shown)
            return listing
        case .masked(let rows, let cut):
            let all = try store.list(ListingQuery(limit: 0, countsFacets: false))
            let older = rows.reversed().filter { row in query.after.map { row.id < $0 } ?? true }
            let page = Array(older.prefix(query.limit))
            return Listing(
                total: all.total,
                matched: rows.count,
                isTruncated: all.isTruncated,
                searchedInPart: cut,
                next: older.count > page.count ? page.last?.id : nil,
                facets: query.countsFacets ? Facet.all.map { AgentStore.count($0, in: rows, query.filter) } : [],
                exchanges: page
            )
        }
    }

    /// Where the texts that a filter asks for stand in these exchanges.
    ///
    /// - Throws: `StoreError`, and `InputError` where it would take too much.
    func findings(of filter: Filter, in rows: [ExchangeSummary]) throws -> [ExchangeID: [Finding]] {
        guard redactor != nil else { return try store.findings(of: filter, in: rows) }
        try learn(rows.map(\.id))
        var findings: [ExchangeID: [Finding]] = [:]
        for row in rows {
            try checkTime()
            findings[row.id] = try learned(row.id).map { try filter.findings(in: $0) }
        }
        return findings
    }

    /// Gives the line of each exchange that a filter selects, oldest first.
    ///
    /// - Returns: how many others were searched in part only.
    /// - Throws: `StoreError`, `InputError` where it would take too much, and what `give` throws.
    func each(_ filter: Filter, _ give: (ExchangeSummary) throws -> Void) throws -> Int {
        switch try selected(by: filter) {
        case .recorded:
            let (ids, searchedInPart) = try store.selection(of: filter)
            try learnNewest(of: ids)
            try store.eachSummary(of: ids) { row in
                try checkTime()
                try give(line(row))
            }
            return searchedInPart
        case .masked(let rows, let searchedInPart):
            for row in rows { try give(row) }
            return searchedInPart
        }
    }

    /// The numbers of the exchanges that a filter selects, oldest first.
    ///
    /// - Throws: `StoreError`, and `InputError` where it would take too much.
    func ids(_ filter: Filter) throws -> [ExchangeID] {
        switch try selected(by: filter) {
        case .recorded: try store.ids(filter)
        case .masked(let rows, _): rows.map(\.id)
        }
    }

    /// Whether something was recorded of an origin.
    ///
    /// - Throws: `StoreError`.
    func knows(_ origin: ReplayTarget) throws -> Bool {
        var filter = Filter(.test(.number(.port, [Int64(origin.endpoint.port)...Int64(origin.endpoint.port)])))
        filter.select(.exactly(origin.endpoint.host), in: .host)
        filter.select(.exactly(origin.scheme.rawValue), in: .scheme)
        return try !store.page(ListingQuery(filter: filter, limit: 1, countsFacets: false)).exchanges.isEmpty
    }

    // MARK: steps

    private func shown(_ row: ExchangeSummary) throws -> ExchangeSummary {
        guard redactor != nil else { return row }
        try checkTime()
        return try learned(row.id)?.summary ?? line(row)
    }

    private func selected(by filter: Filter) throws -> Selected {
        guard let redactor else { return .recorded }
        let masked = try maskedFacets(redactor)
        let plain = PlainFilter(filter) { !masked.contains($0.name) }
        if plain.isWhole { return .recorded }
        var rows: [ExchangeSummary] = []
        var cut = 0
        let candidates = try candidates(plain.filter)
        try learn(candidates.map(\.id))
        // Now that more secrets are known, one may turn out to stand in a category.
        if try maskedFacets(redactor) != masked { return try selected(by: filter) }
        for candidate in candidates {
            try checkTime()
            guard let exchange = try learned(candidate.id) else { continue }
            if try filter.matches(exchange) {
                rows.append(exchange.summary)
            } else if exchange.isCut {
                cut += 1
            }
        }
        return .masked(rows, searchedInPart: cut)
    }

    /// The categories with a value that holds a secret.
    private func maskedFacets(_ redactor: SharedRedactor) throws -> Set<String> {
        let facets = try store.list(ListingQuery(limit: 0)).facets
        return Set(facets.filter { $0.values.contains { redactor.masked($0.value) != $0.value } }.map(\.facet.name))
    }

    /// The exchanges whose texts have to be matched, oldest first.
    ///
    /// - Throws: `InputError` where they are too many or too large; that says nothing of their texts.
    private func candidates(_ filter: Filter) throws -> [ExchangeSummary] {
        let ids = try store.ids(filter)
        var rows: [ExchangeSummary] = []
        var bytes: Int64 = 0
        if ids.count <= bounds.exchanges {
            try store.eachSummary(of: ids) { row in
                rows.append(row)
                bytes += AgentStore.searchedBytes(of: row)
            }
        }
        guard ids.count <= bounds.exchanges, bytes <= bounds.bodyBytes else {
            let size = bytes > bounds.bodyBytes ? " with \(bytes >> 20) MiB of bodies" : ""
            throw InputError(
                """
                texts are matched once their secrets are masked, in at most \(bounds.exchanges) exchanges with \(bounds.bodyBytes >> 20) MiB of bodies; what is left \
                of this query without its texts selects \(ids.count)\(size): narrow it, for example by host:, code:, type:, since:10m or id:1..\(bounds.exchanges)
                """
            )
        }
        return rows
    }

    /// Learns the secrets of the newest of these exchanges: from as many bodies as may be read, and from the heads of the others.
    ///
    /// A body that is too large is skipped alone. Were it the end, one large body would keep everything older from being read for secrets.
    private func learnNewest(of ids: [ExchangeID]) throws {
        guard let redactor else { return }
        var left = bounds.bodyBytes
        for row in try store.summaries(of: Array(ids.suffix(bounds.exchanges))).reversed() {
            let bytes = AgentStore.searchedBytes(of: row)
            if bytes <= left {
                left -= bytes
                try learn([row.id])
            } else if let record = try store.record(row.id) {
                try checkTime()
                try redactor.learn(record, bodiesIn: nil)
            }
        }
    }

    /// Bytes of an exchange's bodies that are searched for secrets; an archive may say any number.
    private static func searchedBytes(of row: ExchangeSummary) -> Int64 {
        let response = MediaType(row.mediaType)?.isBinary == true ? 0 : row.responseBytes
        return [row.requestBytes, response].reduce(0) { $0 + min(max($1, 0), 1 << 40) }
    }

    /// Ends an answer that nobody waits for, or that takes too long; called for each exchange, and for each page of a stream.
    private func checkTime() throws {
        try Task.checkCancellation()
        guard now() >= deadline else { return }
        throw InputError(
            "this takes longer than \(bounds.time); narrow the query, for example by host:, code: or since:10m, or lower the limit"
        )
    }

    /// The values of a category in what is selected.
    private static func count(_ facet: Facet, in rows: [ExchangeSummary], _ filter: Filter) -> FacetListing {
        var counts: [String: Int] = [:]
        for row in rows { for value in facet.singles(facet.value(row)) { counts[value, default: 0] += 1 } }
        let values = counts.map {
            FacetCount(value: $0.key, count: $0.value, selected: filter.selects($0.key, in: facet))
        }
        return FacetListing(facet: facet, values: facet.ordered(values))
    }
}
