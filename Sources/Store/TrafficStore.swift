import GRDB
import Synchronization
package import Traffic

/// The store: exchanges on disk, written by one process and read by any number beside it.
///
/// Every method blocks its caller on the disk but `submit`, which never does; none may be called on an event loop but `submit`.
package final class TrafficStore: CaptureSink, Sendable {
    /// What a store is opened for.
    package enum Access: Sendable {
        /// To look, with or without a writer beside.
        case reading
        /// To record; one process at a time.
        case writing
    }

    /// How long SQLite waits for another connection's lock.
    static let busyMilliseconds = 5000

    /// Facet blocks that closing makes, each some 15 ms; more wait for the next writer.
    private static let blocksAtClose = 8

    /// Where the store is, symbolic links followed.
    package let path: String
    let pool: DatabasePool
    let clock: TimeSource
    let cache: BlockCache
    let feeds = ChangeFeeds()
    /// Where the most recent readers of bodies go on.
    private let bodyPlaces = Mutex(RecentMap<BodyPlace.Reading, BodyPlace>(limit: 256))
    let wal: WriteAheadLog
    private let lock: WriterLock?
    let writer: CaptureWriter?
    let indexer: BlockIndexer?
    private let retention = Mutex<Retention?>(nil)
    let connectionSweep: ConnectionSweep
    /// Gives the saved searches that a query names, where they are another store's; `nil` for its own.
    let searches: (@Sendable () throws -> [SavedSearch])?
    /// Says which exchanges failed inside; `nil` where none is asked about.
    let judge: (any FailureJudge)?
    private let isClosed = Mutex(false)

    /// Opens or (writing only) makes the store at `path`.
    ///
    /// - Parameters:
    ///   - path: the file; writing makes it and the directories above it, for this user only.
    ///   - access: whether to write.
    ///   - bodyLimitBytes: bytes that are kept of a body at most.
    ///   - classifier: names the client of each exchange when it ends; `nil` names none.
    ///   - judge: says which exchanges failed inside, for questions about that; without it, none did.
    ///   - makesBlocks: whether blocks are made of the rows; without blocks, every question is answered from rows.
    ///   - clock: the time by which copies and imports are dated.
    ///   - searches: gives the saved searches that a query names, where they are another store's; `nil` for its own.
    ///   - tell: called on the writer's queue when recording stops and when it works again.
    /// - Throws: `StoreError`; nothing was changed then, but that a store of an earlier version may be up to date before it is refused.
    package init(
        path: String,
        access: Access,
        bodyLimitBytes: Int64 = 64 << 20,
        classifier: (any ExchangeClassifier)? = nil,
        judge: (any FailureJudge)? = nil,
        makesBlocks: Bool = true,
        clock: TimeSource = TimeSource(),
        searches: (@Sendable () throws -> [SavedSearch])? = nil,
        tell: (@Sendable (RecordingNews) -> Void)? = nil
    ) throws {
        let file = StoreFile(path: path)
        self.path = file.path
        (self.clock, self.searches, self.judge) = (clock, searches, judge)
        wal = WriteAheadLog()
        do {
            switch access {
            case .reading:
                try file.checkForReading()
                pool = try DatabasePool(path: file.path, configuration: TrafficStore.configuration(access))
                try pool.read { try TrafficStore.checkVersion($0, path: file.path) }
                (lock, writer, indexer) = (nil, nil, nil)
                cache = BlockCache()
                connectionSweep = ConnectionSweep()
            case .writing:
                try file.prepareForWriting()
                lock = try WriterLock(path: file.path)
                try file.create()
                pool = try DatabasePool(path: file.path, configuration: TrafficStore.configuration(access))
                file.closeToOthers()
                let lastID = try pool.writeWithoutTransaction { db in
                    try TrafficStore.prepareWriter(db, path: file.path, now: clock.date, tell: tell)
                }
                try file.checkOwner()
                connectionSweep = ConnectionSweep(debt: try pool.read { try ConnectionSweep.debt(in: $0) })
                let indexer = makesBlocks ? try BlockIndexer(pool: pool, wal: wal, clock: clock) : nil
                self.indexer = indexer
                cache = BlockCache(indexer: indexer)
                writer = CaptureWriter(
                    pool: pool,
                    wal: wal,
                    feeds: feeds,
                    indexer: indexer,
                    bodyLimitBytes: bodyLimitBytes,
                    classifier: classifier,
                    tell: tell,
                    nextID: lastID + 1
                )
            }
        } catch {
            throw StoreError(error, reading: file.path)
        }
    }

    /// Checks that there is a store, for a command that changes a store and must not make one.
    ///
    /// - Throws: `StoreError` when it is missing, empty or no store.
    package static func requireStore(at path: String) throws { try StoreFile(path: path).checkForReading() }

    /// The file that a name leads to, links followed: files beside a store are named after it, so that they are found by every name.
    package static func file(named path: String) -> String { StoreFile(path: path).path }

    // MARK: writing

    /// Takes a batch of the proxy's events; see `CaptureSink`.
    package func submit(_ batch: CaptureBatch) {
        guard let writer else { return batch.onCommit(CommitReceipt(ids: [], isRecorded: false)) }
        writer.submit(batch)
    }

    /// Exchanges written or changed from now on, as they are committed, for live views in the same process.
    ///
    /// Bounded to 1,000 that wait: a slower reader gets `.resync`.
    package func changes() -> AsyncStream<StoreChange> { feeds.follow() }

    /// Exchanges that are in no block yet and wait for one; 0 in a store that is only read.
    package var indexLag: Int64 { indexer?.lag ?? 0 }

    /// Makes the blocks that are due now, the begun block too; the store does so by itself when nothing was written for a second.
    package func index() throws {
        guard let indexer else { return }
        do {
            // A block that was being made already may have to be made again.
            for _ in 0..<2 {
                try pool.writeWithoutTransaction { try indexer.makeDue(atMost: .max, $0) }
                indexer.waitUntilIdle()
            }
        } catch {
            throw StoreError(error, reading: path)
        }
    }

    /// Limits the file to a number of pages of 4 KiB; exchanges that do not fit become a gap, as on a full disk.
    package func limitPages(_ count: Int) throws {
        try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = \(count)") }
    }

    /// Writes the batches that wait, moves the log into the file and closes; from then on no batch is taken.
    ///
    /// - Parameter last: called when all is written and no other process may write yet; not where this is closed already.
    /// - Throws: `StoreError` when neither a batch nor a gap in its place could be written; the store is closed all the same.
    package func close(last: () -> Void = {}) throws {
        let isFirst = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return !isClosed
        }
        guard isFirst else { return }
        defer {
            last()
            lock?.release()
        }
        retention.withLock { $0 }?.stop()
        var untold: (any Error)?
        do {
            if let writer {
                do { try writer.close() } catch { untold = error }
                pool.writeWithoutTransaction { db in
                    // A full disk must not keep the store from closing: exchanges without a block are read from their rows.
                    try? indexer?.makeDue(atMost: TrafficStore.blocksAtClose, db)
                    indexer?.close()
                    wal.truncate(db)
                }
            }
            feeds.finish()
            // Readers first, so that the writer is the last and takes the log away.
            pool.releaseMemory()
            try pool.close()
        } catch {
            // What is missing counts for more than why the file did not close.
            guard let untold else { throw StoreError(error, reading: path) }
            throw StoreError(untold, closing: path, lacking: writer?.openGap)
        }
        if let untold { throw StoreError(untold, closing: path, lacking: writer?.openGap) }
    }

    /// Holds the store to a policy from now on, until it closes; see `Retention`.
    ///
    /// - Parameters:
    ///   - policy: what is kept.
    ///   - interval: how often the store is held to it.
    ///   - now: the time: microseconds since 1970.
    package func keep(
        _ policy: RetentionPolicy,
        every interval: Duration = .seconds(5),
        now: @escaping @Sendable () -> Int64
    ) {
        guard writer != nil else { return }
        let pass = { @Sendable [weak self] in try self?.retain(policy, now: now()) ?? false }
        let started = policy.isEmpty ? nil : Retention(every: interval, pass: pass)
        let before = retention.withLock { retention in
            defer { retention = started }
            return retention
        }
        before?.stop()
    }

    // MARK: reading

    /// A page of exchanges with facet counts.
    ///
    /// - Parameters:
    ///   - query: what to list.
    ///   - progress: told now and then how many blocks were looked at, and of how many.
    /// - Returns: the page with the counts.
    /// - Throws: `StoreError`.
    package func list(
        _ query: ListingQuery,
        progress: (@Sendable (_ done: Int64, _ whole: Int64) -> Void)? = nil
    ) throws -> Listing {
        var listing = try read { db in
            var run = ExchangeQuery(query, in: db, cache: self.cache, judge: self.judge, progress: progress)
            var listing = try run.run()
            if let order = query.order {
                let ranked = try ExchangeQuery.ranked(query, by: order, in: db, cache: self.cache, judge: self.judge)
                (listing.exchanges, listing.next) = (ranked.exchanges, ranked.next)
            }
            return listing
        }
        if writer?.openGap != nil { listing.isTruncated = true }
        return listing
    }

    /// A page of exchanges without counts: the walk stops where the page is full, so `total` and `matched` say only what it looked at.
    ///
    /// A ranked page has to look at everything.
    package func page(_ query: ListingQuery) throws -> Listing {
        try read { db in
            if let order = query.order {
                return try ExchangeQuery.ranked(query, by: order, in: db, cache: self.cache, judge: self.judge)
            }
            var run = ExchangeQuery(query, in: db, cache: self.cache, judge: self.judge, stopsWhenFull: true)
            return try run.run()
        }
    }

    /// The numbers of every exchange that a filter selects, oldest first: eight bytes each, so that a capture of millions can be walked; see
    /// `eachStretch(of:_:)` for what becomes of a change meanwhile.
    package func ids(_ filter: Filter) throws -> [ExchangeID] { try selection(of: filter).ids }

    /// The same, and how many others were searched in part only (`Listing.searchedInPart`).
    package func selection(of filter: Filter) throws -> (ids: [ExchangeID], searchedInPart: Int) {
        var found: [ExchangeID] = []
        let searchedInPart = try eachStretch(of: filter) { ids, _ in found += ids }
        return (found, searchedInPart)
    }

    /// Which of these exchanges a filter selects; bodies are looked at only where the filter asks for them.
    package func selected(by filter: Filter, of summaries: [ExchangeSummary]) throws -> Set<ExchangeID> {
        let decisions = summaries.map(filter.decision)
        guard decisions.contains(nil) else {
            return Set(zip(summaries, decisions).lazy.filter { $0.1 == true }.map(\.0.id))
        }
        return try read { db in
            Set(try summaries.filter { try filter.matches(StoredSubject($0, judge: self.judge, in: db)) }.map(\.id))
        }
    }

    /// Where the texts that a filter asks for stand in these exchanges; see `Filter.findings`.
    package func findings(of filter: Filter, in summaries: [ExchangeSummary]) throws -> [ExchangeID: [Finding]] {
        try read { db in
            var findings: [ExchangeID: [Finding]] = [:]
            for line in summaries { findings[line.id] = try filter.findings(in: StoredSubject(line, in: db)) }
            return findings
        }
    }

    /// The query texts that a typed text may become; see `FilterCompletion`.
    package func completions(of text: String) throws -> [String] {
        let start =
            text.lastIndex { $0.isWhitespace || $0 == "(" || $0 == "-" }.map(text.index(after:)) ?? text.startIndex
        if text[start...].hasPrefix("@") {
            let typed = text[start...].dropFirst().lowercased()
            return try savedSearches().filter { $0.name.hasPrefix(typed) }.map { "\(text[..<start])@\($0.name)" }
        }
        return try FilterCompletion.texts(text) { facet in
            try list(ListingQuery(limit: 0)).facets.first { $0.facet == facet }?.values ?? []
        }
    }

    /// One exchange whole, without body bytes.
    package func exchange(_ id: ExchangeID) throws -> Exchange? {
        try read { try ExchangeRow.exchange(id, in: $0) }
    }

    /// Kept bytes of a body as sent on the wire, from `offset`, at most `limitBytes` (use it in a loop to stream).
    package func body(_ id: ExchangeID, _ side: MessageSide, offset: Int64, limitBytes: Int) throws -> [UInt8] {
        try read { db in
            guard let body = try ExchangeRow.body(of: id, side, in: db) else { return [] }
            var place = self.bodyPlaces.withLock { $0[BodyPlace.Reading(body: body, offset: offset)] }
            let bytes = try BodyVault.read(body, offset: offset, limitBytes: limitBytes, from: &place, in: db)
            if let place, !bytes.isEmpty {
                let next = BodyPlace.Reading(body: body, offset: offset + Int64(bytes.count))
                self.bodyPlaces.withLock { $0.insert(place, for: next) }
            }
            return bytes
        }
    }

    /// Exchanges with an id greater than `id`, oldest first.
    ///
    /// A pending exchange is asked for again with `summaries(of:)`.
    package func summaries(after id: ExchangeID, limit: Int) throws -> [ExchangeSummary] {
        try read { db in
            var row = try RawStatement(ExchangeRow.summarySelection + "WHERE id > ? ORDER BY id LIMIT ?", on: db)
            defer { row.reset() }
            row.bind(id)
            row.bind(Int64(max(0, limit)))
            var found: [ExchangeSummary] = []
            while try row.step() { found.append(ExchangeRow.summary(&row)) }
            return found
        }
    }

    /// The summaries of these exchanges, in the order asked; numbers of no exchange are left out.
    ///
    /// Up to 4,096 are of one snapshot.
    package func summaries(of ids: [ExchangeID]) throws -> [ExchangeSummary] {
        var found: [ExchangeSummary] = []
        var rest = ids[...]
        while !rest.isEmpty {
            let page = rest.prefix(Int(FacetBlock.capacity))
            found += try read { db in try page.compactMap { try ExchangeQuery.summary($0, in: db) } }
            rest = rest.dropFirst(page.count)
        }
        return found
    }

    /// Gaps: exchanges that passed but could not be recorded, or not in time.
    package func gaps() throws -> [CaptureGap] {
        let written = try read { try CaptureGap.readAll(in: $0) }
        return written + (writer?.openGaps ?? [])
    }

    /// Runs a read within one snapshot; runs it again where it came upon a block that cannot be read, and then reads that from its rows.
    func read<Value: Sendable>(_ body: @Sendable (Database) throws -> Value) throws -> Value {
        do {
            do {
                return try pool.read(body)
            } catch is UnreadableBlock {
                try pool.read { try cache.leaveOutUnreadable(in: $0) }
                return try pool.read(body)
            }
        } catch let block as UnreadableBlock {
            // It was made again meanwhile, and is damaged again.
            throw StoreError.failed(path: path, message: "block \(block.index) cannot be read", .damage)
        } catch let error as FilterError {
            // What was asked for is too much, whatever the store.
            throw error
        } catch let error as CancellationError {
            throw error
        } catch {
            throw StoreError(error, reading: path)
        }
    }
}
