import GRDB
import Traffic

/// Answers a listing within one snapshot of the store: from blocks where there are some, from rows for the rest.
///
/// It ends with `CancellationError` when the task that reads is cancelled.
struct ExchangeQuery {
    private let query: ListingQuery
    private let db: Database
    private let cache: BlockCache
    private let resolver: ConditionResolver
    private let search: SearchReader
    private var tally: FacetTally
    /// Whether the walk stops at a full page and leaves the rest uncounted.
    private let stopsWhenFull: Bool
    /// Told how many blocks were looked at, and of how many.
    private let progress: (@Sendable (Int64, Int64) -> Void)?
    /// The page in the order of the walk, and one more to know whether it goes on.
    private var page: [ExchangeID] = []
    /// The exchanges of the page that were read as rows.
    private var known: [ExchangeID: ExchangeSummary] = [:]
    /// Whether lines that were read are kept for the page.
    private var keepsLines = true
    /// The counts by number and time; `nil` where they are not asked for.
    private var overview: OverviewTally?
    /// The ranking; `nil` where the listing is in the order of the numbers.
    private var ranks: RankTally?
    /// The blocks and rows that may still be looked at; `nil` outside a stretch of a walk.
    private var allowance: Allowance?

    /// A part of a walk from the oldest exchange to the newest, read in one snapshot.
    ///
    /// A snapshot that is held longer keeps the log from beginning anew, however often it is moved into the file.
    struct Stretch: Sendable {
        /// The selected exchanges, ascending.
        var ids: [ExchangeID]
        /// Exchanges that were looked at.
        var looked: Int
        /// The last id that was looked at, after which the next stretch goes on; `nil` at the end of the store.
        var through: ExchangeID?
        /// Exchanges that are not selected and were searched in part only.
        var searchedInPart: Int
    }

    /// What a stretch may look at; the stretch ends with the block or the row that uses up either number.
    private struct Allowance {
        /// Blocks: where the columns answer, a block costs a millisecond or two at most.
        var blocks = 16
        /// Exchanges that are read as rows, some of them with their bodies.
        var rows = Int(FacetBlock.capacity)
        /// The last id that was looked at.
        var through: ExchangeID = 0

        var isUsed: Bool { blocks <= 0 || rows <= 0 }
    }

    init(
        _ query: ListingQuery,
        in db: Database,
        cache: BlockCache,
        judge: (any FailureJudge)?,
        stopsWhenFull: Bool = false,
        progress: (@Sendable (Int64, Int64) -> Void)? = nil
    ) {
        self.query = query
        self.progress = progress
        self.stopsWhenFull = stopsWhenFull
        self.db = db
        self.cache = cache
        resolver = ConditionResolver(query.filter, judge: judge, in: db)
        search = SearchReader(db)
        tally = FacetTally(query.filter, countsFacets: query.countsFacets)
    }

    /// Counts, and reads the page.
    mutating func run() throws -> Listing {
        try walk()
        let shown = page.prefix(max(0, query.limit))
        let exchanges = try (isUpward ? shown.reversed() : Array(shown)).compactMap { id in
            try known[id] ?? ExchangeQuery.summary(id, in: db)
        }
        return Listing(
            total: tally.total,
            matched: tally.matched,
            isTruncated: try missesSome(),
            searchedInPart: resolver.cut.count,
            next: page.count > query.limit ? shown.last : nil,
            facets: tally.listings,
            exchanges: exchanges
        )
    }

    /// Looks at the exchanges after an id, as many as one snapshot should: those that a filter selects, and how far the walk came.
    static func stretch(
        of filter: Filter,
        after last: ExchangeID,
        in db: Database,
        cache: BlockCache,
        judge: (any FailureJudge)?
    ) throws -> Stretch {
        var query = ExchangeQuery(
            ListingQuery(filter: filter, limit: Int.max / 2, newer: last, countsFacets: false),
            in: db,
            cache: cache,
            judge: judge,
            stopsWhenFull: true
        )
        query.keepsLines = false
        query.allowance = Allowance()
        try query.walk()
        return Stretch(
            ids: query.page,
            looked: query.tally.total,
            through: query.isUsedUp ? query.allowance?.through : nil,
            searchedInPart: query.resolver.cut.count
        )
    }

    /// Counts the exchanges that a filter selects by number and time.
    static func overview(
        _ filter: Filter,
        _ tally: OverviewTally,
        in db: Database,
        cache: BlockCache,
        judge: (any FailureJudge)?
    ) throws -> (total: Int, matched: Int, tally: OverviewTally) {
        var query = ExchangeQuery(
            ListingQuery(filter: filter, limit: 0, countsFacets: false),
            in: db,
            cache: cache,
            judge: judge
        )
        query.keepsLines = false
        query.overview = tally
        try query.walk()
        return (query.tally.total, query.tally.matched, query.overview ?? tally)
    }

    /// A page of the exchanges that a filter selects, ranked by a value.
    static func ranked(
        _ wanted: ListingQuery,
        by order: ListingOrder,
        in db: Database,
        cache: BlockCache,
        judge: (any FailureJudge)?
    ) throws -> Listing {
        var query = ExchangeQuery(
            ListingQuery(filter: wanted.filter, limit: 0, countsFacets: false),
            in: db,
            cache: cache,
            judge: judge
        )
        query.keepsLines = false
        query.ranks = RankTally(order, below: wanted.after, skip: wanted.skip, limit: wanted.limit)
        try query.walk()
        let page = query.ranks?.page(skip: wanted.skip, limit: wanted.limit) ?? (ids: [], goesOn: false)
        return Listing(
            total: query.tally.total,
            matched: query.tally.matched,
            isTruncated: try query.missesSome(),
            searchedInPart: query.resolver.cut.count,
            next: page.goesOn ? ExchangeID(wanted.skip + wanted.limit) : nil,
            facets: [],
            exchanges: try page.ids.compactMap { try summary($0, in: db) }
        )
    }

    private mutating func walk() throws { try isUpward ? walkUp() : walkDown() }

    /// Whether the page holds the exchanges next above an exchange.
    private var isUpward: Bool { query.newer != nil }

    private mutating func walkUp() throws {
        // From the oldest to the newest; `start` is the first id that is not looked at yet.
        var start: ExchangeID = stopsWhenFull ? (query.newer ?? 0) + 1 : 1
        let rows = try cache.rows(in: db)
        for (done, row) in rows.enumerated() {
            if isDone { return }
            try Task.checkCancellation()
            progress?(Int64(done), Int64(rows.count))
            // The walk begins behind this block.
            if FacetBlock.lastID(of: row.index) < start { continue }
            guard let block = try cache.facets(row, in: db) else { continue }
            try addRows(from: start, to: block.firstID)
            if isUsedUp { return }
            try add(block, row)
            start = max(start, block.through + 1)
            allowance?.blocks -= 1
            allowance?.through = start - 1
        }
        if !isDone { try addRows(from: start, to: .max) }
    }

    private mutating func walkDown() throws {
        // From the newest to the oldest, so that the page fills in its order; `end` is the lowest id that was looked at.
        var end = ExchangeID.max
        let rows = try cache.rows(in: db)
        for (done, row) in rows.reversed().enumerated() {
            if isDone { return }
            try Task.checkCancellation()
            progress?(Int64(done), Int64(rows.count))
            if stopsWhenFull, let after = query.after, FacetBlock.firstID(of: row.index) >= after {
                // The whole block stands before the page.
                end = FacetBlock.firstID(of: row.index)
                continue
            }
            guard let block = try cache.facets(row, in: db) else { continue }
            try addRows(from: block.through + 1, to: end)
            try add(block, row)
            end = block.firstID
        }
        if !isDone { try addRows(from: 1, to: end) }
    }

    /// Whether nothing more is wanted.
    private var isDone: Bool { stopsWhenFull && !isPageOpen || isUsedUp }

    /// Whether the stretch has looked at all that it may.
    private var isUsedUp: Bool { allowance?.isUsed ?? false }

    /// The summary of one exchange; `nil` when there is none of this id.
    static func summary(_ id: ExchangeID, in db: Database) throws -> ExchangeSummary? {
        var row = try RawStatement(ExchangeRow.summarySelection + "WHERE id = ?", on: db)
        defer { row.reset() }
        row.bind(id)
        return try row.step() ? ExchangeRow.summary(&row) : nil
    }

    // MARK: rows

    /// Whether the page takes more.
    private var isPageOpen: Bool { query.limit > 0 && page.count <= query.limit }

    private func isOnPage(_ id: ExchangeID) -> Bool {
        (query.after.map { id < $0 } ?? true) && (query.newer.map { id > $0 } ?? true)
    }

    private mutating func addRows(from first: ExchangeID, to end: ExchangeID) throws {
        guard first < end else { return }
        let order = isUpward ? "ASC" : "DESC"
        var row = try RawStatement(
            ExchangeRow.summarySelection + "WHERE id >= ? AND id < ? ORDER BY id \(order)",
            on: db
        )
        defer { row.reset() }
        row.bind(first)
        row.bind(end)
        while !isDone, try row.step() {
            try Task.checkCancellation()
            let exchange = ExchangeRow.summary(&row)
            let resolver = resolver
            allowance?.rows -= 1
            allowance?.through = exchange.id
            guard try tally.add(exchange, conditionsHold: { try resolver.holds(exchange) }) else { continue }
            overview?.add(exchange)
            try ranks?.add(exchange)
            guard isPageOpen, isOnPage(exchange.id) else { continue }
            page.append(exchange.id)
            if keepsLines { known[exchange.id] = exchange }
        }
    }

    // MARK: blocks

    private mutating func add(_ block: FacetBlock, _ row: FacetBlockRow) throws {
        let resolver = resolver
        let columns = BlockColumns(block, row, search, cache: cache, in: db)
        let conditions = try resolver.column(of: columns)
        var isPrepared = false
        var opened = 0
        let selected = try tally.add(block, window: try window(of: row), conditions: conditions) { position in
            if !isPrepared { try resolver.prepare(block, open: conditions.openCount(of: block.count)) }
            isPrepared = true
            opened += 1
            try Task.checkCancellation()
            return try resolver.holds(block.firstID + ExchangeID(block.offsets[position]))
        }
        resolver.noteCut(
            columns.cut.lazy.filter { conditions[$0] == .no }.map { block.firstID + ExchangeID(block.offsets[$0]) }
        )
        try overview?.add(block, selected) { try row.starts(in: db) }
        try ranks?.add(block, selected) { try columns.numbers() }
        let late = try selectedHoles(of: block)
        allowance?.rows -= opened + block.open.count
        guard isPageOpen else { return }
        var ids = late
        switch selected {
        case .none: break
        case .all: ids += block.offsets.suffix(room).map { block.firstID + ExchangeID($0) }
        case .some(let rows): ids += rows.map { block.firstID + ExchangeID(block.offsets[$0]) }
        }
        ids.sort(by: isUpward ? (<) : (>))
        for id in ids where isPageOpen && isOnPage(id) { page.append(id) }
    }

    /// How many of a block's newest ids can be on the page: all of them where the page begins at an exchange.
    private var room: Int {
        query.after == nil && !isUpward ? max(0, query.limit + 1 - page.count) : Int(FacetBlock.capacity)
    }

    /// Counts the exchanges that were open when a block was made; returns those that are selected.
    private mutating func selectedHoles(of block: FacetBlock) throws -> [ExchangeID] {
        var selected: [ExchangeID] = []
        for offset in block.open {
            let id = block.firstID + ExchangeID(offset)
            guard let exchange = try ExchangeQuery.summary(id, in: db) else { continue }
            let resolver = resolver
            guard try tally.add(exchange, conditionsHold: { try resolver.holds(exchange) }) else { continue }
            selected.append(id)
            overview?.add(exchange)
            try ranks?.add(exchange)
            if isPageOpen, keepsLines { known[id] = exchange }
        }
        return selected
    }

    private func window(of row: FacetBlockRow) throws -> FacetTally.Window {
        let filter = query.filter
        let isFirstIn = filter.accepts(started: row.firstStarted)
        let isLastIn = filter.accepts(started: row.lastStarted)
        if isFirstIn && isLastIn || row.count == 0 { return .inside }
        if let since = filter.since, row.lastStarted < since { return .outside }
        if let before = filter.before, row.firstStarted >= before { return .outside }
        return .cut(try row.starts(in: db))
    }

    /// Whether exchanges are missing in the window of time.
    private func missesSome() throws -> Bool {
        try CaptureGap.isSomeMissing(since: query.filter.since, before: query.filter.before, in: db)
    }
}
